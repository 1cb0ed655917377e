// The official SDK, second generation, over HTTP in the era without sessions: its own handler makes an McpServer for each
// request. $RESP=sse answers with events, anything else with JSON.
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { definitions, info } from "./sdk-definitions.mjs";

// Made once and not for each request, as its examples have it, which costs several times as much.
const tools = definitions.map(({ inputSchema, ...rest }) => ({ ...rest, inputSchema: z.object(inputSchema) }));

function made() {
  const server = new McpServer(info);
  for (const { name, description, inputSchema, run } of tools) server.registerTool(name, { description, inputSchema }, run);
  return server;
}

const handle = toNodeHandler(createMcpHandler(made, { responseMode: process.env.RESP === "sse" ? "sse" : "json" }));

createServer((request, response) => handle(request, response)).listen(Number(process.env.PORT), "127.0.0.1");
