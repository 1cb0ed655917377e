/** The echo server with tasks: `echo-tasks.ts AFTER_MS`; without the argument it has none. Over HTTP where `$PORT` is set, else on stdio. */
import { serveHttp, serveStdio } from "@oarlock/server-kit/node";
import { tasks } from "@oarlock/extensions/tasks";
import { echoServer } from "./echo-server.ts";

const [, , afterMs] = process.argv;
const { PORT } = process.env;

// A synchronous tool ends before its call could become a task.
const server = echoServer({ isAsync: true });
const extensions = afterMs === undefined ? [] : [tasks({ afterMs: Number(afterMs) })];
await (PORT === undefined ? serveStdio(server, { extensions }) : await serveHttp(server, { port: Number(PORT), extensions })).ended;
