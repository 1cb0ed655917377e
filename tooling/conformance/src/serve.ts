/**
 * Serves the everything server on `http://127.0.0.1:$PORT/mcp` (default 3000; 0 takes a free port) until the process ends. As one of several
 * nodes it gets `--http --port N --state-key K --backplane URL`, the switches of every server.
 */
import { parseArgs } from "node:util";
import { openBackplane } from "@oarlock-tooling/nodes/open-backplane";
import { cluster } from "@oarlock/cluster";
import { serveHttp } from "@oarlock/server-kit/node";
import { createEverything } from "./everything.ts";
import { STREAM_MS } from "./tools/notes.ts";

const { values } = parseArgs({
  options: {
    http: { type: "boolean" },
    port: { type: "string", default: process.env.PORT ?? "3000" },
    "state-key": { type: "string" },
    backplane: { type: "string" },
    "allowed-origins": { type: "string" },
  },
});
const { port, backplane, "state-key": stateKey, "allowed-origins": allowedOrigin } = values;

const { url, stop } = await serveHttp(createEverything(), {
  port: Number(port),
  http: { streamMs: STREAM_MS },
  ...(allowedOrigin !== undefined && { allowedOrigins: [allowedOrigin] }),
  ...(stateKey !== undefined && { stateKeys: [stateKey] }),
  ...(backplane !== undefined && { cluster: cluster({ backplane: await openBackplane(backplane, "oarlock:everything") }) }),
});
console.error(`listening on ${url}`);
process.once("SIGTERM", () => void stop());
