// A server inside an app on node:http2, whose requests name their host as `:authority`.
import { connect, createServer, type ClientHttp2Session, type Http2Server, type OutgoingHttpHeaders } from "node:http2";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defineServer, tool } from "../../../../src/index.ts";
import { toNodeHandler } from "../../../../src/node.ts";
import { initialize } from "../../../support/http-talk.ts";
import { post, type HttpRequest } from "../../../support/http-faces.ts";
import { asks, posting } from "../../../support/stateless-message.ts";

const started = Promise.withResolvers<AbortSignal>();
const hang = tool({
  name: "hang",
  run: (_input, { signal }) => {
    started.resolve(signal);
    return Promise.withResolvers<string>().promise;
  },
});
const mcp = toNodeHandler(defineServer({ name: "s", version: "1", tools: [tool({ name: "hi", run: () => "hi" }), hang] }));
let app: Http2Server;
let client: ClientHttp2Session;

beforeAll(async () => {
  app = createServer((request, response) => mcp(request, response));
  await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
  client = connect(`http://127.0.0.1:${(app.address() as AddressInfo).port}`);
});
afterAll(async () => {
  await mcp.close(0);
  client.destroy();
  await new Promise((resolve) => app.close(resolve));
});

/** Sends a message; resolves with status and text of the response, or with no status where the stream was cut. */
function send(
  { headers, body }: HttpRequest,
  more: OutgoingHttpHeaders = {},
  cut?: Promise<unknown>,
): Promise<[status: unknown, text: string]> {
  const stream = client.request({ ":method": "POST", ":path": "/mcp", ...(headers as OutgoingHttpHeaders), ...more });
  let status: unknown;
  let text = "";
  stream.on("response", (received) => (status = received[":status"]));
  stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  stream.end(String(body));
  void cut?.then(() => stream.close());
  return new Promise((resolve) => stream.on("close", () => resolve([status, text])));
}

const callOf = (name: string): HttpRequest => posting(asks("tools/call", { name }));

test("serves sessions and stateless requests over HTTP/2", async () => {
  expect(await send(post(initialize()))).toEqual([200, expect.stringContaining('"serverInfo"')]);
  expect(await send(callOf("hi"))).toEqual([200, expect.stringContaining('"text":"hi"')]);
});

test("refuses a foreign host over HTTP/2", async () => {
  expect(await send(post(initialize()), { ":authority": "evil.example" })).toEqual([403, expect.stringContaining("Host not allowed")]);
  expect(await send(post(initialize()), { host: "evil.example" })).toEqual([403, expect.stringContaining("Host not allowed")]);
});

test("cancels a stateless call whose HTTP/2 stream is cut", async () => {
  const signal = started.promise;
  expect(await send(callOf("hang"), {}, signal)).toEqual([undefined, ""]);
  const aborted = await signal;
  if (!aborted.aborted) await new Promise((resolve) => aborted.addEventListener("abort", resolve, { once: true }));
  expect(aborted.reason).toMatchObject({ cause: "client" });
});
