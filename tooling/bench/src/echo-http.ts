/** Echo server over HTTP on `$PORT`. The bench starts its built form, `dist/echo-http.js`. */
import { leanProcess } from "@oarlock/cli";
import { serveHttp, type HttpLimits } from "@oarlock/server-kit/node";
import { echoServer } from "./echo-server.ts";

const { PORT = "3920", IDLE_MS, MODE, RESP } = process.env;

// More sessions than the bench opens at a time, although most of its sessions end by their idle time.
const http: Partial<HttpLimits> = { sessions: 100_000, ...(IDLE_MS !== undefined && { idleMs: Number(IDLE_MS) }) };

async function serve(): Promise<void> {
  leanProcess();
  const { counts, ended } = await serveHttp(echoServer({ progress: MODE === "modern" && RESP === "sse" }), { port: Number(PORT), http });
  process.on("message", () => process.send?.(counts()));
  await ended;
}

void serve(); // no top-level await: the bundle could not keep what lazy chunks share in the entry
