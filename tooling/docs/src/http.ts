import type { Server } from "@oarlock/server-kit";
import { bearerToken, leanProcess, serveHttp } from "@oarlock/server-kit/node";

export async function listen(server: Server, secret: string) {
  leanProcess(); // 13 MiB less, in a process that does nothing else
  return await serveHttp(server, { port: 0, auth: bearerToken(secret) });
}
