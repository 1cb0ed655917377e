// The two ways of the official SDK, second generation, to make a server with the ten tools.
import { McpServer, Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import { tools } from "../src/tools.js";
import { definitions, info, said } from "./sdk-definitions.mjs";

// Made once and not for each server, as its examples have it, which costs several times as much.
const made = definitions.map(({ inputSchema, ...rest }) => ({ ...rest, inputSchema: z.object(inputSchema) }));

export function low() {
  const server = new Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools }));
  server.setRequestHandler("tools/call", ({ params }) =>
    said(params.name === "add" ? String(params.arguments.a + params.arguments.b) : params.arguments.message),
  );
  return server;
}

export function high() {
  const server = new McpServer(info);
  for (const { name, description, inputSchema, run } of made) server.registerTool(name, { description, inputSchema }, run);
  return server;
}
