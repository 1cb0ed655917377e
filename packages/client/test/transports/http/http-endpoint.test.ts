import { describe, expect, test } from "vitest";
import { findRevision, kindOf, REVISIONS } from "@oarlock/server-kit/protocol";
import { failure } from "../../support/scripted-peer.ts";
import { event, events, ScriptedHttpServer, SESSION } from "../../support/scripted-http-server.ts";
import { connect } from "../../support/connect-session.ts";

const STATEFUL = REVISIONS.filter((id) => findRevision(id)?.facts.era === "handshake");

describe.each(STATEFUL)("requests in %s", (revision) => {
  const play = async (session: { session?: undefined } = {}): Promise<ScriptedHttpServer> => {
    await using server = await ScriptedHttpServer.start(undefined, session);
    await using client = await connect(server, { revision, roots: [] });
    await Promise.all([client.call("a"), client.call("b"), client.ping()]);
    client.setRoots([{ uri: "file:///a" }]);
    await client.ping();
    await client.close();
    return server;
  };

  test("HTTP-08 HTTP-10 HTTP-11 JSON-19: sends each message as one POST to one URL", async () => {
    const server = await play();
    const posts = server.of("POST");
    expect(posts.map(({ message }) => kindOf(message))).not.toContain("invalid");
    expect(posts.map(({ message }) => message.method)).toHaveLength(7);
    expect(posts.filter(({ message }) => message.method === "tools/call")).toHaveLength(2);
    expect(new Set(server.seen.map(({ path }) => path))).toEqual(new Set(["/mcp"]));
  });

  test("LIFE-04: keeps the order of initialized and list changes of roots", async () => {
    const methods = (await play()).of("POST").map(({ message }) => message.method);
    expect(methods.slice(0, 2)).toEqual(["initialize", "notifications/initialized"]);
    expect(methods.slice(-2)).toEqual(["notifications/roots/list_changed", "ping"]);
  });

  test("HTTP-09 HTTP-33: accepts JSON and events for POST, events for GET", async () => {
    const server = await play();
    for (const { headers } of server.of("POST")) {
      expect(headers).toMatchObject({ accept: "application/json, text/event-stream", "content-type": "application/json" });
    }
    expect(server.of("GET").map(({ headers }) => headers.accept)).toEqual(["text/event-stream"]);
  });

  test("HTTP-39 HTTP-40: sends the revision in a header from 2025-06-18 on, never on initialize", async () => {
    const server = await play();
    const expected = revision >= "2025-06-18" ? revision : undefined;
    for (const { message, headers } of server.seen) {
      expect(headers["mcp-protocol-version"]).toBe(message.method === "initialize" ? undefined : expected);
    }
  });

  test("SESS-04 SESS-14: sends the session id on all requests except initialize, on GET and DELETE too", async () => {
    const server = await play();
    expect(new Set(server.seen.map(({ http }) => http))).toEqual(new Set(["POST", "GET", "DELETE"]));
    for (const { message, headers } of server.seen) {
      expect(headers["mcp-session-id"]).toBe(message.method === "initialize" ? undefined : SESSION);
    }
  });

  test("SESS-09: sends no id and no DELETE without a session", async () => {
    const server = await play({ session: undefined });
    expect(server.seen.filter(({ headers }) => "mcp-session-id" in headers)).toEqual([]);
    expect(server.of("DELETE")).toEqual([]);
  });
});

describe("HTTP-40: sends the negotiated revision in the header", () => {
  test.each(["2025-06-18", "2025-03-26"])("as %s, whatever was requested", async (revision) => {
    await using server = await ScriptedHttpServer.start(undefined, { revision });
    const client = await connect(server);
    await client.ping();
    await client.close();
    const expected = revision === "2025-06-18" ? revision : undefined;
    expect(server.seen.slice(1).map(({ headers }) => headers["mcp-protocol-version"])).toEqual(Array(4).fill(expected));
  });
});

test("HTTP-11: sends the responses to an array in an array in 2025-03-26", async () => {
  const asked = [1, 2].map((id) => ({ jsonrpc: "2.0", id, method: "ping" }));
  const answered = Promise.withResolvers<unknown>();
  await using server = await ScriptedHttpServer.start(({ http, message }, response) => {
    if ("batch" in message) answered.resolve(message.batch);
    if (http !== "GET") return false;
    events(response, `data: ${JSON.stringify(asked)}\n\n`);
    return true;
  });
  await using client = await connect(server, { revision: "2025-03-26" });
  expect(await answered.promise).toEqual([1, 2].map((id) => ({ jsonrpc: "2.0", id, result: {} })));
  expect(client.revision).toBe("2025-03-26");
});

describe("headers and tokens", () => {
  const tokens: [string, string | (() => string | Promise<string>)][] = [
    ["a token", "secret-token"],
    ["a function", () => "secret-token"],
    ["a function that takes its time", async () => "secret-token"],
  ];
  test.each(tokens)("AUTH: sends %s with every request", async (_, token) => {
    await using server = await ScriptedHttpServer.start();
    const client = await connect({ url: server.url, token, headers: { "X-Mine": "1", Accept: "text/plain" } });
    await client.ping();
    await client.close();
    expect(server.seen).toHaveLength(5);
    for (const { headers } of server.seen) expect(headers).toMatchObject({ authorization: "Bearer secret-token", "x-mine": "1" });
    expect(server.seen.filter(({ headers }) => headers.accept === "text/plain").map(({ http }) => http)).toEqual(["DELETE"]);
  });

  test("calls a token function for each request", async () => {
    await using server = await ScriptedHttpServer.start();
    let count = 0;
    await using client = await connect({ url: new URL(server.url), token: () => `token-${++count}` });
    await client.ping();
    expect(new Set(server.seen.map(({ headers }) => headers.authorization)).size).toBe(server.seen.length);
  });

  test("fails only the request if the token function fails", async () => {
    await using server = await ScriptedHttpServer.start();
    let broken = false;
    const token = (): string => {
      if (broken) throw new Error("the vault is closed");
      return "secret-token";
    };
    await using client = await connect({ url: server.url, token });
    broken = true;
    await expect(client.ping()).rejects.toThrow("the vault is closed");
    broken = false;
    await client.ping();
  });

  test.each<[string, Parameters<typeof connect>[0], RegExp]>([
    ["no address", { url: "not a secret-address" }, /^Invalid url: expected an http or https URL$/],
    ["another protocol", { url: "ftp://secret.example" }, /^Invalid url: expected an http or https URL$/],
    ["a password in it", { url: "http://me:secret@127.0.0.1/" }, /^Invalid url: expected no user name or password/],
    [
      "a header with a line break",
      { url: "http://127.0.0.1/", headers: { "x-key": "a\nsecret" } },
      /^Invalid headers: expected names and values/,
    ],
    ["a token with a line break", { url: "http://127.0.0.1:9/", token: "a\nsecret" }, /^Invalid token: expected visible ASCII/],
    ["an empty token", { url: "http://127.0.0.1:9/", token: () => "" }, /^Invalid token: expected visible ASCII/],
  ])("refuses %s without showing it", async (_, to, message) => {
    const error = await failure(connect(to));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(message);
    expect(`${error.message}${error.stack ?? ""}`).not.toContain("secret");
  });
});

test("reports every message to onMessage, as on stdio", async () => {
  await using server = await ScriptedHttpServer.start(({ http }, response) => {
    if (http !== "GET") return false;
    events(response, event({ id: "q", method: "ping" }));
    return true;
  });
  const log: string[] = [];
  await using client = await connect(server, { onWire: (direction, message) => log.push(`${direction} ${message}`) });
  await expect.poll(() => server.of("POST")).toHaveLength(3);
  await client.ping();
  expect(log.map((line) => line.replace(/"result":.*/, "…"))).toEqual([
    expect.stringMatching(/^sent .*"method":"initialize"/),
    'received {"jsonrpc":"2.0","id":1,…',
    'sent {"jsonrpc":"2.0","method":"notifications/initialized"}',
    'received {"jsonrpc":"2.0","id":"q","method":"ping"}',
    'sent {"jsonrpc":"2.0","id":"q",…',
    'sent {"jsonrpc":"2.0","id":2,"method":"ping"}',
    'received {"jsonrpc":"2.0","id":2,…',
  ]);
  expect(server.of("POST").map(({ message }) => JSON.stringify(message))).toEqual(
    log.filter((line) => line.startsWith("sent")).map((line) => line.slice(5)),
  );
});
