// Streamable HTTP with a bearer token: sessions and stateless requests on one endpoint.
// Run: TOKEN=$(openssl rand -hex 32) PORT=3920 node http-token.ts
import { defineServer, tool } from "@oarlock/server-kit";
import { bearerToken, serveHttp } from "@oarlock/server-kit/node";
import * as z from "zod";

const { TOKEN, PORT = "3920" } = process.env;
if (TOKEN === undefined) throw new Error("Set TOKEN to the secret that clients send.");

const greet = tool({ name: "greet", input: z.object({ name: z.string() }), run: ({ name }) => `Hello, ${name}!` });
const server = defineServer({ name: "hello", version: "1.0.0", tools: [greet] });

const { url, stop } = await serveHttp(server, { port: Number(PORT), auth: bearerToken(TOKEN) });
console.error(`listening on ${url}`);
process.once("SIGTERM", () => void stop());
