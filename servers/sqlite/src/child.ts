// The entry of a database process; the server starts it and tells it the file.
import type { Place } from "./db/child/connection.ts";
import { serveDatabase } from "./db/child/loop.ts";

await serveDatabase(JSON.parse(process.argv[2] ?? "{}") as Place); // our own server wrote it
