// One module for runtimes with web standards: Bun and workers take its default export, Deno and Node 24 start it themselves.
// Run: bun fetch-runtimes.ts, deno serve fetch-runtimes.ts, or in a worker.
import { defineServer, tool } from "@oarlock/server-kit";
import { toFetch, type FetchHandler } from "@oarlock/server-kit/fetch";
import * as z from "zod";

const greet = tool({
  name: "greet",
  input: z.object({ name: z.string() }),
  hints: { readOnly: true },
  run: ({ name }, { http }) => (http?.query.get("lang") === "de" ? `Hallo, ${name}!` : `Hello, ${name}!`),
});

let mcp: FetchHandler | undefined;

async function fetch(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname !== "/mcp") return new Response("MCP is served at /mcp.", { status: 404 });
  mcp ??= toFetch(defineServer({ name: "hello", version: "1.0.0", tools: [greet] }));
  return await mcp(request);
}

/** Bun ends a response without a byte after 10 seconds: the kit writes earlier. */
export default { fetch };
