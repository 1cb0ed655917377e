// mcp-lite over HTTP on $PORT; it has no stdio. $MODE=stateless without sessions. It always answers with events.
import { serve } from "@hono/node-server";
import { InMemorySessionAdapter, McpServer, StreamableHttpTransport } from "mcp-lite";
import { z } from "zod";
import { definitions, info } from "./sdk-definitions.mjs";

const { PORT, MODE } = process.env;
const server = new McpServer({ ...info, schemaAdapter: (schema) => z.toJSONSchema(schema) });
for (const { name, description, inputSchema, run } of definitions)
  server.tool(name, { description, inputSchema: z.object(inputSchema), handler: run });
const sessions = { sessionAdapter: new InMemorySessionAdapter({ maxEventBufferSize: 1024 }) };
const transport = new StreamableHttpTransport(MODE === "stateless" ? {} : sessions);
serve({ fetch: transport.bind(server), port: Number(PORT), hostname: "127.0.0.1" });
