import type { Server } from "@oarlock/server-kit";
import { serveHttp } from "@oarlock/server-kit/node";
import { oauth } from "@oarlock/server-kit/oauth";

export const listen = (server: Server, issuer: string) =>
  serveHttp(server, { port: 0, auth: oauth({ issuer, audience: "https://mcp.example.com/mcp" }) });
