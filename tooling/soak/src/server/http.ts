/** The fixture server over HTTP, on a free port. Its sessions and streams do not live long. */
import { serveHttp, type HttpLimits } from "@oarlock/server-kit/node";
import { countBy } from "../gauge.ts";
import { fixture } from "./fixture.ts";

const { SOAK_IDLE_MS = "10000" } = process.env;

const http: Partial<HttpLimits> = {
  idleMs: Number(SOAK_IDLE_MS),
  unreadyMs: Number(SOAK_IDLE_MS),
  streamMs: 2000,
  retryMs: 50,
  keepAliveMs: 500,
  silentMs: 200,
  stalledMs: 3000,
  eventBytes: 256 * 1024,
};

const { url, counts, ended } = await serveHttp(fixture, { port: 0, legacySse: true, http });
countBy(counts);
console.error(`listening on ${url}`);
await ended;
