import type { Server } from "@oarlock/server-kit";
import { toFetch } from "@oarlock/server-kit/fetch";

export function app(server: Server) {
  const mcp = toFetch(server);
  const fetch = async (request: Request): Promise<Response> =>
    new URL(request.url).pathname === "/mcp" ? await mcp(request) : new Response("Hello");
  return { fetch };
}
