// Preloaded into a program: any use of the network beyond this machine ends the program with an error.
import dns from "node:dns";
import { Socket } from "node:net";

const connect = Socket.prototype.connect;

const refuse = (): never => {
  process.stderr.write(`The network is out of bounds\n${new Error("reached for here").stack}\n`);
  process.exit(99);
};

// Every connection, of fetch and of modules alike, goes through this one method.
Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
  // Node's own modules hand over their options within an array.
  const [first] = given.flat(1) as [{ host?: string } | undefined];
  return first?.host === "127.0.0.1" ? Reflect.apply(connect, this, given) : refuse();
};
Object.assign(dns, { lookup: refuse });
