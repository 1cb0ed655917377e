import { describe, expect, test } from "vitest";
import { ConnectionClosedError, InterruptedError } from "@oarlock/client";
import { failure } from "../../support/scripted-peer.ts";
import { ScriptedHttpServer, SESSION, type Act } from "../../support/scripted-http-server.ts";
import { connect } from "../../support/connect-session.ts";

describe("SESS-09: closing", () => {
  test("sends one DELETE and rejects pending requests", async () => {
    await using server = await ScriptedHttpServer.start(({ message }) => message.method === "tools/call");
    const client = await connect(server);
    const failed = failure(client.call("x"));
    await expect.poll(() => server.of("tools/call")).toHaveLength(1);
    await Promise.all([client.close(), client.close()]);
    const closed = new ConnectionClosedError("The client closed the connection");
    expect(await failed).toEqual(closed);
    expect(await client.closed).toEqual(closed);
    expect(server.of("DELETE").map(({ headers }) => [headers["mcp-session-id"], headers["mcp-protocol-version"]])).toEqual([
      [SESSION, "2025-11-25"],
    ]);
    await expect(client.ping()).rejects.toEqual(closed);
    expect(server.of("ping")).toEqual([]);
  });

  test.each<[string, Act]>([
    ["refuses it", (_, response) => void response.writeHead(405).end()],
    ["breaks", (_, response) => void response.destroy()],
    ["never answers", () => undefined],
  ])("closes at a server that %s", async (_, act) => {
    await using server = await ScriptedHttpServer.start((seen, response) => (seen.http === "DELETE" ? act(seen, response) : false));
    const faults: string[] = [];
    const client = await connect(server, { graceMs: 200, onFault: (what) => faults.push(what) });
    await client.close();
    expect(server.of("DELETE")).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  test("sends earlier messages first", async () => {
    await using server = await ScriptedHttpServer.start(({ message }) => message.method === "tools/call");
    const client = await connect(server, { roots: [] });
    const abort = new AbortController();
    const failed = failure(client.call("x", {}, { signal: abort.signal }));
    await expect.poll(() => server.of("tools/call")).toHaveLength(1);
    client.setRoots([{ uri: "file:///a" }]);
    abort.abort(new Error("no more"));
    await client.close();
    expect((await failed).message).toBe("no more");
    expect(server.seen.slice(-3).map(({ http, message }) => message.method ?? http)).toEqual([
      "notifications/roots/list_changed",
      "notifications/cancelled",
      "DELETE",
    ]);
  });

  test("ends the session of a failed handshake", async () => {
    await using server = await ScriptedHttpServer.start(undefined, { revision: "1999-01-01" });
    await expect(connect(server)).rejects.toThrow("the server offers 1999-01-01");
    expect(server.seen.map(({ http }) => http)).toEqual(["POST", "DELETE"]);
    expect(server.seen[1]!.headers).toMatchObject({ "mcp-session-id": SESSION });
  });

  test("closes after an unanswered ping", async () => {
    await using server = await ScriptedHttpServer.start(({ message }) => message.method === "ping");
    const client = await connect(server, { pingEveryMs: 20, graceMs: 100 });
    expect(await client.closed).toEqual(new ConnectionClosedError("The server does not answer pings"));
  });
});

test("reports a refused connection", async () => {
  const error = await failure(connect({ url: "http://127.0.0.1:9/mcp" }));
  expect(error).toBeInstanceOf(InterruptedError);
  expect(error.message).toMatch(/^No response to POST: /);
});
