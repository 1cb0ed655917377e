/** Echo server over HTTP on `$PORT`. The bench starts its built form, `dist/echo-http.js`. */
import { leanProcess } from "@oarlock/cli";
import { serveHttp } from "@oarlock/server-kit/node";
import { echoServer } from "./echo-server.ts";

const { PORT = "3920", MODE, RESP } = process.env;

// More sessions than the bench opens.
const http = { sessions: 100_000 };

async function serve(): Promise<void> {
  leanProcess();
  const { ended } = await serveHttp(echoServer({ progress: MODE === "modern" && RESP === "sse" }), { port: Number(PORT), http });
  await ended;
}

void serve(); // no top-level await: the bundle could not keep what lazy chunks share in the entry
