// Servers of the official SDK (version 1) on loopback, over Streamable HTTP or its older pair.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server as NodeServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport, type EventStore } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  CallToolRequestSchema,
  ElicitResultSchema,
  ListToolsRequestSchema,
  SubscribeRequestSchema,
  type JSONRPCMessage,
} from "@modelcontextprotocol/sdk/types.js";

export interface Official extends AsyncDisposable {
  url: string;
  /** HTTP methods in their order, with the status that was answered. */
  seen: string[];
  /** Calls that were cancelled. */
  cancelled: string[];
  /** Forgets all sessions, as a restart does. */
  forget(): void;
}

export type Flavour = "events" | "events with store" | "json" | "without sessions";

/** Keeps events in their order; the SDK's own example sorts them by random names. */
class Store implements EventStore {
  readonly #events: { stream: string; message: JSONRPCMessage }[] = [];

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    return `${this.#events.push({ stream, message })}`;
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#events[Number(id) - 1]?.stream;
  }

  async replayEventsAfter(last: string, { send }: { send(id: string, message: JSONRPCMessage): Promise<void> }): Promise<string> {
    const stream = this.#events[Number(last) - 1]?.stream ?? "";
    for (const [at, event] of [...this.#events.entries()].slice(Number(last))) {
      if (event.stream === stream && "jsonrpc" in event.message) await send(`${at + 1}`, event.message);
    }
    return stream;
  }
}

function sample(cancelled: string[]): Server {
  const capabilities = { tools: { listChanged: true }, resources: { subscribe: true } };
  const server = new Server({ name: "official", version: "1" }, { capabilities });
  const textResult = (text: string) => ({ content: [{ type: "text" as const, text }] });
  const names = ["echo", "steps", "ask", "slow", "poll", "changed"];
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: names.map((name) => ({ name, inputSchema: { type: "object" as const } })),
  }));
  server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { name, arguments: args = {}, _meta } = params;
    const progressToken = _meta?.progressToken ?? 0;
    if (name === "steps") {
      for (const progress of [1, 2, 3])
        await extra.sendNotification({ method: "notifications/progress", params: { progressToken, progress } });
      return textResult("done");
    }
    if (name === "ask") {
      const requestedSchema = { type: "object" as const, properties: { sure: { type: "boolean" as const } } };
      const question = { method: "elicitation/create" as const, params: { message: "Sure?", requestedSchema } };
      return textResult((await extra.sendRequest(question, ElicitResultSchema)).action);
    }
    if (name === "slow") {
      await extra.sendNotification({ method: "notifications/progress", params: { progressToken, progress: 1 } });
      await new Promise((resolve) => extra.signal.addEventListener("abort", resolve));
      cancelled.push(String(extra.signal.reason));
    }
    if (name === "poll") {
      extra.closeSSEStream?.();
      await extra.sendNotification({ method: "notifications/progress", params: { progressToken, progress: 1 } });
    }
    if (name === "changed") await server.sendToolListChanged();
    return textResult(String(args.message ?? name));
  });
  return server;
}

export async function startOfficial(flavour: Flavour): Promise<Official> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const seen: string[] = [];
  const cancelled: string[] = [];
  const make = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: flavour === "without sessions" ? undefined : randomUUID,
      enableJsonResponse: flavour === "json",
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
      ...(flavour === "events with store" && { eventStore: new Store(), retryInterval: 50 }),
    } as ConstructorParameters<typeof StreamableHTTPServerTransport>[0]); // undefined is a value there
    // Its class does not fit its own interface under exactOptionalPropertyTypes.
    await sample(cancelled).connect(transport as Parameters<Server["connect"]>[0]);
    return transport;
  };
  const http = createServer((request, response) => void handle(request, response));
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.on("close", () => seen.push(`${request.method ?? ""} ${response.statusCode}`));
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : await make();
    if (known === undefined) response.writeHead(404).end("Session not found");
    else await known.handleRequest(request, response);
  };
  return listening(http, { seen, cancelled, forget: () => sessions.clear() }, "/mcp");
}

/** The pair of the SDK: GET /sse, and POST to what that names. Every POST elsewhere is refused with this status. */
export async function startOldPair(refusal: number): Promise<Official> {
  const sessions = new Map<string, SSEServerTransport>();
  const seen: string[] = [];
  const cancelled: string[] = [];
  const http = createServer((request, response) => void handle(request, response));
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    response.on("close", () => seen.push(`${request.method ?? ""} ${pathname} ${response.statusCode}`));
    if (request.method === "GET" && pathname === "/sse") {
      const transport = new SSEServerTransport("/messages", response);
      sessions.set(transport.sessionId, transport);
      await sample(cancelled).connect(transport);
    } else if (pathname === "/messages") await sessions.get(searchParams.get("sessionId") ?? "")?.handlePostMessage(request, response);
    else response.writeHead(refusal, { "content-type": "text/plain" }).end("Cannot POST /sse");
  };
  return listening(http, { seen, cancelled, forget: () => sessions.clear() }, "/sse");
}

async function listening(http: NodeServer, rest: Omit<Official, "url" | typeof Symbol.asyncDispose>, path: string): Promise<Official> {
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    ...rest,
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}${path}`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
