// The port of operations has the guard of the endpoint (L10): Host, Origin, framing, half-sent requests.
import { once } from "node:events";
import { request as send } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requestGuard } from "@oarlock/server-kit/node";
import { startOperations, type OperationsServer } from "../src/operations/operations-server.ts";

let operations: OperationsServer;
let port: number;
beforeAll(async () => {
  operations = await startOperations({
    host: "127.0.0.1",
    port: 0,
    guard: requestGuard({ host: "127.0.0.1", allowedHosts: ["metrics.example"] }),
  });
  port = Number(new URL(operations.url).port);
});
afterAll(() => operations.close());

async function statusOf(headers: Record<string, string>): Promise<number | undefined> {
  const outgoing = send({ port, host: "127.0.0.1", path: "/metrics", headers, agent: false }).end();
  const [response] = (await once(outgoing, "response")) as [{ statusCode?: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

test.each([
  ["evil.example", 403],
  ["evil.example:9920", 403],
  ["localhost.evil.example", 403],
  ["1.2.3.4.evil.example", 403],
  ["a b", 400],
  ["localhost", 200],
  ["127.0.0.1:9920", 200],
  ["[::1]", 200],
  ["metrics.example", 200],
  ["10.1.2.3:9920", 200],
  ["[fd00::1]:9920", 200],
])("answers a request with the Host %j with %i", async (host, status) => {
  expect(await statusOf({ host })).toBe(status);
});

test("refuses a foreign origin, also at an address", async () => {
  expect(await statusOf({ host: "localhost", origin: "https://evil.example" })).toBe(403);
  expect(await statusOf({ host: "10.1.2.3", origin: "https://evil.example" })).toBe(403);
});

/** What comes until the server closes the connection. */
async function exchange(text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(text);
  let came = "";
  for await (const chunk of socket.setEncoding("latin1")) came += chunk as string;
  return came;
}

test.each([
  ["no Host", "GET /livez HTTP/1.0\r\n\r\n", 400],
  ["two Hosts", "GET /livez HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400],
  ["chunks in HTTP/1.0", "GET /livez HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400],
  ["two codings", "GET /livez HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400],
])("refuses a request with %s and closes the connection", async (_what, text, status) => {
  expect(await exchange(text)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});
