// The floor for HTTP: bare node:http, the body joined once, JSON.parse, answer. Beyond looking up the session, which requests
// that name their revision do not have, it checks nothing and is no server to use, only the limit to measure against.
// $RESP=sse answers with one event; $MODE=stateless looks up no session.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { tools } from "../src/tools.js";

const list = JSON.stringify({ tools });
const sessions = new Map();
const REVISION = "io.modelcontextprotocol/protocolVersion";
const events = process.env.RESP === "sse";
const sessionless = process.env.MODE === "stateless";

const called = (alone, content) => (alone ? { resultType: "complete", content } : { content });

function answer(message, session, response) {
  const headers = {};
  const alone = message.params?._meta?.[REVISION] !== undefined;
  let result = "{}";
  if (message.method === "initialize") {
    if (!sessionless) {
      const id = randomUUID();
      sessions.set(id, { id });
      headers["mcp-session-id"] = id;
    }
    result = '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"floor","version":"1.0.0"}}';
  } else if (!alone && !sessionless && !sessions.has(session)) {
    response.writeHead(404, { "content-length": 0 }).end();
    return;
  } else if (message.id === undefined) {
    response.writeHead(202, { "content-length": 0 }).end();
    return;
  } else if (message.method === "tools/list") result = list;
  else if (message.method === "tools/call")
    result = JSON.stringify(called(alone, [{ type: "text", text: message.params.arguments.message }]));
  const said = `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${result}}`;
  if (events) {
    headers["content-type"] = "text/event-stream";
    headers["cache-control"] = "no-cache";
    response.writeHead(200, headers).end(`event: message\ndata: ${said}\n\n`);
  } else {
    headers["content-type"] = "application/json";
    headers["content-length"] = Buffer.byteLength(said);
    response.writeHead(200, headers).end(said);
  }
}

function other(method, session, response) {
  if (method === "DELETE") {
    sessions.delete(session);
    response.writeHead(204).end();
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.flushHeaders();
}

createServer((request, response) => {
  const parts = [];
  request.on("data", (chunk) => parts.push(chunk));
  request.on("end", () => {
    const session = request.headers["mcp-session-id"];
    if (request.method !== "POST") other(request.method, session, response);
    else answer(JSON.parse(parts.length === 1 ? parts[0].toString() : Buffer.concat(parts).toString()), session, response);
  });
}).listen(Number(process.env.PORT), "127.0.0.1");
