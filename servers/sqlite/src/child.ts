// The entry of a database process; the server starts it and tells it the file.
import type { Place } from "./db/engine/connection.ts";
import { serveDatabase } from "./db/process/request-loop.ts";

// A terminal and a service manager tell it to all of us. What is in hand is the server's to finish or to stop: it ends us.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
await serveDatabase(JSON.parse(process.argv[2] ?? "{}") as Place); // our own server wrote it
