/** A client process that starts a call, prints a line, and waits to be killed: `node victim.ts '{"to": …, "revision": …, "call": …}'`. */
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type Command } from "@oarlock/client";

interface Order {
  to: Command | { url: string };
  revision: string;
  call: { name: string; args: Record<string, unknown> };
}

const { to, revision, call } = JSON.parse(process.argv[2] ?? "{}") as Order; // our own
const client = await connect(to, { revision });
client.call(call.name, call.args).catch(() => undefined);
await sleep(20);
console.log("at work");
await sleep(600_000);
