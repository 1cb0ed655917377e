// RecordingProxy: passes HTTP requests on to an MCP server, and keeps what the server was sent.
import { createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http";
import { closeServer, listenOn } from "@oarlock-tooling/test-support/loopback";

/** A JSON-RPC message that the server was sent. */
export interface RecordedMessage {
  readonly method: string;
  /** The tool of a call. */
  readonly tool: string | undefined;
  /** The header MCP-Protocol-Version. */
  readonly version: string | undefined;
}

export interface RecordingProxy extends AsyncDisposable {
  /** The address that stands for the one of the server. */
  readonly url: URL;
  readonly messages: readonly RecordedMessage[];
}

export async function recordMessages(target: URL): Promise<RecordingProxy> {
  const messages: RecordedMessage[] = [];
  const server = createServer((request, response) => void forward(request, response));
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer); // of a request without an encoding
    const body = Buffer.concat(chunks);
    record(body, request.headers["mcp-protocol-version"]);
    const headers = { ...request.headers, host: target.host };
    const upstream = send(new URL(request.url ?? "/", target), { method: request.method, headers });
    upstream.on("error", () => response.destroy());
    upstream.on("response", (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers).flushHeaders();
      reply.pipe(response);
    });
    response.on("close", () => upstream.destroy());
    upstream.end(body);
  }
  function record(body: Buffer, version: string | string[] | undefined): void {
    if (body.length === 0) return;
    const { method, params } = JSON.parse(body.toString()) as { method?: string; params?: { name?: string } }; // JSON-RPC
    if (method === undefined) return; // a response
    messages.push({ method, tool: method === "tools/call" ? params?.name : undefined, version: version?.toString() });
  }
  const port = await listenOn(server);
  return {
    url: new URL(target.pathname, `http://127.0.0.1:${port}`),
    messages,
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}
