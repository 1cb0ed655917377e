// The official SDK, first generation, over Streamable HTTP, as its examples have it: one server and one transport a session.
// $RESP=sse answers with events, anything else with JSON.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { high } from "./sdk-v1-servers.mjs";

const sessions = new Map();

async function opened() {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: process.env.RESP !== "sse",
    onsessioninitialized: (id) => sessions.set(id, transport),
    onsessionclosed: (id) => sessions.delete(id),
  });
  await high().connect(transport);
  return transport;
}

createServer(async (request, response) => {
  const transport = sessions.get(request.headers["mcp-session-id"]) ?? (await opened());
  await transport.handleRequest(request, response);
}).listen(Number(process.env.PORT), "127.0.0.1");

process.on("message", () => process.send({ sessions: sessions.size }));
