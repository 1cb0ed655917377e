// Streamable HTTP with an authorization server: tokens are JWTs, checked with the keys of their issuer.
// Run: ISSUER=https://auth.example.com AUDIENCE=https://mcp.example.com/mcp node oauth.ts
import { oauth } from "@oarlock/oauth";
import { defineServer, tool } from "@oarlock/server-kit";
import { serveHttp } from "@oarlock/server-kit/node";
import * as z from "zod";

const { ISSUER, AUDIENCE, PORT = "3920" } = process.env;
if (ISSUER === undefined || AUDIENCE === undefined) throw new Error("Set ISSUER and AUDIENCE.");

const greet = tool({ name: "greet", input: z.object({ name: z.string() }), run: ({ name }) => `Hello, ${name}!` });
const server = defineServer({ name: "hello", version: "1.0.0", tools: [greet] });

const { url, stop } = await serveHttp(server, { port: Number(PORT), auth: oauth({ issuer: ISSUER, audience: AUDIENCE }) });
console.error(`listening on ${url}`);
process.once("SIGTERM", () => void stop());
