/** Serves the everything server on `http://127.0.0.1:$PORT/mcp` (3000 when unset, any free port for 0) until it is ended. */
import { serveHttp } from "@oarlock/server-kit/node";
import { createEverything } from "./everything.ts";
import { STREAM_MS } from "./tools/notes.ts";

const port = Number(process.env.PORT ?? 3000);
const { url } = await serveHttp(createEverything(), { port, http: { streamMs: STREAM_MS } });
console.error(`listening on ${url}`);
