// The official SDK, first generation, with the same ten tools: `high` is its McpServer with zod, as its examples have it,
// `low` its Server with the list and the calls by hand.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { tools } from "../src/tools.js";

const info = { name: "bench", version: "1.0.0" };
const said = (text) => ({ content: [{ type: "text", text }] });

function low() {
  const server = new Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    said(params.name === "add" ? String(params.arguments.a + params.arguments.b) : params.arguments.message),
  );
  return server;
}

function high() {
  const server = new McpServer(info);
  for (const { name, description } of tools) {
    const { inputSchema, run } = by[name] ?? filler();
    server.registerTool(name, { description, inputSchema }, run);
  }
  return server;
}

/** The schemas of tools.js, written the way an author of a server writes them. */
const by = {
  echo: { inputSchema: { message: z.string().describe("Text to send back") }, run: ({ message }) => said(message) },
  add: { inputSchema: { a: z.number(), b: z.number() }, run: ({ a, b }) => said(String(a + b)) },
};

const filler = () => ({
  inputSchema: {
    path: z.string().describe("A path relative to the root"),
    query: z.string().optional().describe("What to look for"),
    limit: z.number().int().min(1).max(1000).optional().describe("At most this many"),
    recursive: z.boolean().optional().describe("Descend into folders"),
    tags: z.array(z.string()).optional().describe("Labels"),
  },
  run: () => said("ok"),
});

await (process.argv[2] === "low" ? low() : high()).connect(new StdioServerTransport());
