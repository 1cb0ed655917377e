/** The echo server over HTTP on `$PORT`. `dist/echo-http.js` is the built form that the bench starts. */
import { leanProcess } from "@oarlock/cli";
import { serveHttp, type HttpLimits } from "@oarlock/server-kit/node";
import { echoServer } from "./echo-server.ts";

const { PORT = "3920", IDLE_MS, MODE, RESP } = process.env;

// More than the bench opens at a time, though most of its sessions end as idle ones.
const http: Partial<HttpLimits> = { sessions: 100_000, ...(IDLE_MS !== undefined && { idleMs: Number(IDLE_MS) }) };

leanProcess();
const { counts, ended } = await serveHttp(echoServer({ progress: MODE === "modern" && RESP === "sse" }), { port: Number(PORT), http });
process.on("message", () => process.send?.(counts()));
await ended;
