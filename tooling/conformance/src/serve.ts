/** Serves the everything server on `http://127.0.0.1:$PORT/mcp` (default 3000; 0 takes a free port) until the process ends. */
import { serveHttp } from "@oarlock/server-kit/node";
import { createEverything } from "./everything.ts";
import { STREAM_MS } from "./tools/notes.ts";

const port = Number(process.env.PORT ?? 3000);
const { url } = await serveHttp(createEverything(), { port, http: { streamMs: STREAM_MS } });
console.error(`listening on ${url}`);
