// A server inside an app that listens already: node:http here, Express in the same way.
// Run: PORT=8080 node node-app.ts
import { createServer } from "node:http";
import { defineServer, tool } from "@oarlock/server-kit";
import { toNodeHandler } from "@oarlock/server-kit/node";
import * as z from "zod";

const greet = tool({ name: "greet", input: z.object({ name: z.string() }), run: ({ name }) => `Hello, ${name}!` });
const mcp = toNodeHandler(defineServer({ name: "hello", version: "1.0.0", tools: [greet] }));

const app = createServer((request, response) => {
  if (request.url === "/mcp") mcp(request, response);
  else response.end("The rest of the app");
});
app.listen(Number(process.env["PORT"] ?? 8080), "127.0.0.1", () => console.error("listening on", app.address()));
process.once("SIGTERM", () => void mcp.close().finally(() => app.close()));
