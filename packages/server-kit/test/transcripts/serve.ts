// One of the sample servers as a process: `node --conditions=oarlock-source serve.ts bare`.
import { serveStdio } from "@oarlock/server-kit/node";
import { servers } from "./sample.ts";

const make = servers[process.argv[2] ?? "sample"];
if (make === undefined) throw new Error(`expected one of ${Object.keys(servers).join(", ")}; came ${process.argv[2]}`);
await serveStdio(make()).ended;
