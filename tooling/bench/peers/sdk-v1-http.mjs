// The official SDK, first generation, over Streamable HTTP: `high` or `low`, as its examples have it: one server and one transport a
// session, or with $MODE=stateless a request. $RESP=sse answers with events, anything else with JSON.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { high, low } from "./sdk-v1-servers.mjs";

const { PORT, MODE, RESP } = process.env;
const made = process.argv[2] === "low" ? low : high;
const enableJsonResponse = RESP !== "sse";
const sessions = new Map();

async function opened() {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse,
    onsessioninitialized: (id) => sessions.set(id, transport),
    onsessionclosed: (id) => sessions.delete(id),
  });
  await made().connect(transport);
  return transport;
}

async function inSession(request, response) {
  const transport = sessions.get(request.headers["mcp-session-id"]) ?? (await opened());
  await transport.handleRequest(request, response);
}

async function alone(request, response) {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse });
  const server = made();
  response.on("close", () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

const answer = MODE === "stateless" ? alone : inSession;
createServer((request, response) => void answer(request, response)).listen(Number(PORT), "127.0.0.1");
