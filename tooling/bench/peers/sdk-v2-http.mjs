// The official SDK, second generation, over HTTP: `high` or `low`. With sessions each has a server of its own, as in its examples;
// otherwise its own handler makes one for each request. $RESP=sse answers with events, anything else with JSON.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { high, low } from "./sdk-v2-servers.mjs";

const { PORT, MODE, RESP } = process.env;
const made = process.argv[2] === "low" ? low : high;
const events = RESP === "sse";
const sessions = new Map();

async function opened() {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: !events,
    onsessioninitialized: (id) => sessions.set(id, transport),
    onsessionclosed: (id) => sessions.delete(id),
  });
  await made().connect(transport);
  return transport;
}

const alone = toNodeHandler(createMcpHandler(made, { responseMode: events ? "sse" : "json" }));
const inSession = async (request, response) => {
  const transport = sessions.get(request.headers["mcp-session-id"]) ?? (await opened());
  await transport.handleRequest(request, response);
};

const answer = MODE === "stateful" ? inSession : alone;
createServer((request, response) => void answer(request, response)).listen(Number(PORT), "127.0.0.1");
