// Loaded into a program before its own code: whatever it wants of the network ends it, and says so.
import dns from "node:dns";
import { Socket } from "node:net";

const refuse = (): never => {
  process.stderr.write(`The network is out of bounds\n${new Error("reached for here").stack}\n`);
  process.exit(99);
};

// Every connection, of fetch and of modules alike, goes through this one method.
Socket.prototype.connect = refuse;
Object.assign(dns, { lookup: refuse });
