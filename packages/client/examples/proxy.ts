// A proxy of another MCP server: its tools with their schemas, and its results as they are.
// Run: node proxy.ts COMMAND ARGUMENTS…
import { connect, type Client } from "@oarlock/client";
import { defineServer, fromJsonSchema, tool, type Server, type ToolDefinition, type ToolHints } from "@oarlock/server-kit";
import { serveStdio } from "@oarlock/server-kit/node";
import type { Tool, ToolAnnotations } from "@oarlock/server-kit/protocol";

type Json = Record<string, unknown>;

/** The server behind checks the arguments and its own results. */
const unchecked = (schema: Json) => fromJsonSchema<Json>(schema, () => undefined);

const hintsOf = ({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: ToolAnnotations): ToolHints => ({
  ...(readOnlyHint !== undefined && { readOnly: readOnlyHint }),
  ...(destructiveHint !== undefined && { destructive: destructiveHint }),
  ...(idempotentHint !== undefined && { idempotent: idempotentHint }),
  ...(openWorldHint !== undefined && { openWorld: openWorldHint }),
});

function forward(client: Client, { name, title, description, inputSchema, outputSchema, annotations: hints }: Tool): ToolDefinition {
  return tool({
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    input: unchecked(inputSchema),
    ...(outputSchema !== undefined && { output: unchecked(outputSchema) }),
    // Published as they are: what the server behind may have, its proxy may have.
    strictHosts: false,
    ...(hints !== undefined && { hints: hintsOf(hints) }),
    async run(args, ctx) {
      const {
        content,
        structuredContent,
        isError = false,
        _meta,
      } = await client.call(name, args, {
        signal: ctx.signal,
        onProgress: ({ progress, total, message }) => ctx.progress(progress, total, message),
      });
      return { content, structured: structuredContent as Json | undefined, isError, _meta }; // its own server has checked it
    },
  });
}

export async function createProxy(client: Client): Promise<Server> {
  const tools = await client.tools().all();
  return defineServer({ name: `${client.serverInfo.name}-proxy`, version: "1.0.0", tools: tools.map((one) => forward(client, one)) });
}

if (process.argv[1] === import.meta.filename) {
  const [command = "", ...args] = process.argv.slice(2);
  await using client = await connect({ command, args });
  await serveStdio(await createProxy(client)).ended;
}
