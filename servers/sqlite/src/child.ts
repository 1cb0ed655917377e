// The entry of a database process. The server starts it and passes the connection options as an argument.
import type { ConnectionOptions } from "./db/engine/connection.ts";
import { serveDatabase } from "./db/process/request-loop.ts";

// A terminal sends its signals to the whole process group. The server decides whether running requests finish, and ends this process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
// No top-level await: a lazily loaded file of the bundle waits until this file has been evaluated.
void serveDatabase(JSON.parse(process.argv[2] ?? "{}") as ConnectionOptions); // our own server wrote it
