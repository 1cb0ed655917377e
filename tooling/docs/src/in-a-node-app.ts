import { createServer } from "node:http";
import type { Server } from "@oarlock/server-kit";
import { toNodeHandler } from "@oarlock/server-kit/node";

export function app(server: Server) {
  const mcp = toNodeHandler(server);
  const http = createServer((request, response) => (request.url === "/mcp" ? mcp(request, response) : response.end("Hello")));
  return { http, mcp };
}
