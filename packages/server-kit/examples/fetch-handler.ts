// A server behind a function from Request to Response, for Hono, Bun, Deno and workers: export default { fetch }.
import { defineServer, tool } from "@oarlock/server-kit";
import { toFetch } from "@oarlock/server-kit/fetch";
import * as z from "zod";

const greet = tool({ name: "greet", input: z.object({ name: z.string() }), run: ({ name }) => `Hello, ${name}!` });
const mcp = toFetch(defineServer({ name: "hello", version: "1.0.0", tools: [greet] }));

async function fetch(request: Request): Promise<Response> {
  if (new URL(request.url).pathname === "/mcp") return await mcp(request);
  return new Response("The rest of the app");
}

export default { fetch };
