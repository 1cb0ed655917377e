// tmcp: `stdio`, or over HTTP on $PORT. It always answers with events.
import { ZodJsonSchemaAdapter } from "@tmcp/adapter-zod";
import { McpServer } from "tmcp";
import { z } from "zod";
import { definitions, info } from "./sdk-definitions.mjs";

const capabilities = { tools: { listChanged: true } };
const server = new McpServer({ ...info, description: "bench" }, { adapter: new ZodJsonSchemaAdapter(), capabilities });
for (const { name, description, inputSchema, run } of definitions)
  server.tool({ name, description, schema: z.object(inputSchema) }, async (args) => run(args));

if (process.argv[2] === "stdio") {
  const { StdioTransport } = await import("@tmcp/transport-stdio");
  new StdioTransport(server).listen();
} else {
  const { serve } = await import("@hono/node-server");
  const { HttpTransport } = await import("@tmcp/transport-http");
  const transport = new HttpTransport(server, { path: "/mcp" });
  const fetch = async (request) => (await transport.respond(request)) ?? new Response(null, { status: 404 });
  serve({ fetch, port: Number(process.env.PORT), hostname: "127.0.0.1" });
}
