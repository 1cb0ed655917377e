// Servers of the official SDK, first generation, with the same ten tools: `high` is its McpServer with zod, as its examples
// have it, `low` its Server with the list and the calls by hand.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { tools } from "../src/tools.js";
import { definitions, info, said } from "./sdk-definitions.mjs";

export function low() {
  const server = new Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    said(params.name === "add" ? String(params.arguments.a + params.arguments.b) : params.arguments.message),
  );
  return server;
}

export function high() {
  const server = new McpServer(info);
  for (const { name, description, inputSchema, run } of definitions) server.registerTool(name, { description, inputSchema }, run);
  return server;
}
