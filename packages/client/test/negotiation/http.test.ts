// Discovery of the era and the transport of a server over HTTP.
import { describe, expect, test } from "vitest";
import { defineServer, tool } from "@oarlock/server-kit";
import { serveHttp } from "@oarlock/server-kit/node";
import { NEWEST_HANDSHAKE } from "@oarlock/server-kit/protocol";
import { connect, NegotiationError, HttpStatusError, InterruptedError, RequestTimeoutError } from "@oarlock/client";
import { events, json, ScriptedHttpServer, type Act } from "../support/scripted-http-server.ts";
import { failure } from "../support/scripted-peer.ts";
import { NEWEST, serveStateless, refuse } from "../support/stateless-peers.ts";

/** Whatever else is known of servers, each test begins anew. */
const fresh = (): { eras: Map<string, "handshake" | "stateless"> } => ({ eras: new Map() });

/** Answers the probe; all else is an older server's. */
const old =
  (probe: Act): Act =>
  (seen, response) =>
    seen.message.method === "server/discover" ? probe(seen, response) : false;

const methods = ({ seen }: ScriptedHttpServer): unknown[] =>
  seen.filter(({ http }) => http === "POST").map(({ message }) => message.method);

describe("an older server", () => {
  test.each<[string, Act]>([
    ["400 without a body", (_, response) => void response.writeHead(400).end()],
    ["400 with words", (_, response) => void response.writeHead(400).end("Bad Request: no session")],
    ["400 and -32000", (seen, response) => refuse(seen, response, -32_000)],
    ["400 and an error without an id", (_, response) => json(response, { error: { code: -32_000, message: "No session" }, id: null }, 400)],
    ["404 and -32601", (seen, response) => refuse(seen, response, -32_601, 404)],
    ["404 without a body", (_, response) => void response.writeHead(404).end()],
    ["405", (_, response) => void response.writeHead(405).end()],
    ["406", (_, response) => void response.writeHead(406).end()],
    ["415", (_, response) => void response.writeHead(415).end()],
    ["422", (_, response) => void response.writeHead(422).end("session id required")],
    ["200 and an error", (seen, response) => refuse(seen, response, -32_601, 200)],
    ["200 and no answer at all", (_, response) => json(response, { result: {} })],
    ["202", (_, response) => void response.writeHead(202).end()],
    [
      "an event with an error",
      ({ message }, response) =>
        void events(response, `data: {"jsonrpc":"2.0","id":${Number(message.id)},"error":{"code":-32601,"message":"?"}}\n\n`).end(),
    ],
  ])("DISC-15 gets a handshake after its answer %s", async (_, probe) => {
    await using server = await ScriptedHttpServer.start(old(probe));
    await using client = await connect(server, fresh());
    expect(client.revision).toBe(NEWEST_HANDSHAKE);
    expect(methods(server).slice(0, 2)).toEqual(["server/discover", "initialize"]);
    const [, hello] = server.of("POST");
    expect(hello?.headers).not.toHaveProperty("mcp-protocol-version");
    expect(hello?.headers).not.toHaveProperty("mcp-method");
  });

  test("DISC-22 is distinguished from a broken one if only the newest revision is allowed", async () => {
    await using server = await ScriptedHttpServer.start(old((seen, response) => refuse(seen, response, -32_601, 404)));
    expect(await failure(connect(server, { revision: NEWEST, ...fresh() }))).toEqual(
      new NegotiationError(`The server does not support ${NEWEST}: no`),
    );
    expect(methods(server)).toEqual(["server/discover"]);
  });

  test("DISC-22 is not blamed for its revision if it ends the connection and only the newest revision is allowed", async () => {
    await using server = await ScriptedHttpServer.start(old((_, response) => void response.destroy()));
    expect(await failure(connect(server, { revision: NEWEST, ...fresh() }))).toBeInstanceOf(InterruptedError);
  });

  test("DISC-16 is remembered by its URL and not probed again", async () => {
    await using server = await ScriptedHttpServer.start(old((_, response) => void response.writeHead(400).end()));
    const { eras } = fresh();
    for (let count = 0; count < 3; count++) await (await connect(server, { eras })).close();
    expect(methods(server).filter((method) => method === "server/discover")).toHaveLength(1);
    expect([...eras]).toEqual([[server.url, "handshake"]]);
    // Another address at the same origin may be another server.
    await (await connect({ url: `${server.url}/other` }, { eras })).close();
    expect(methods(server).filter((method) => method === "server/discover")).toHaveLength(2);
  });

  test("DISC-16 is remembered within the process", async () => {
    await using server = await ScriptedHttpServer.start(old((_, response) => void response.writeHead(400).end()));
    for (let count = 0; count < 2; count++) await (await connect(server)).close();
    expect(methods(server).filter((method) => method === "server/discover")).toHaveLength(1);
  });

  test("DISC-17 is discovered again if the remembered era is wrong", async () => {
    await using server = await serveStateless((seen, response) =>
      seen.message.method === "initialize" ? refuse(seen, response, -32_601, 404) : false,
    );
    const eras = new Map([[server.url, "handshake" as const]]);
    await using client = await connect(server, { eras });
    expect(client.revision).toBe(NEWEST);
    expect(methods(server)).toEqual(["initialize", "server/discover"]);
    expect([...eras.values()]).toEqual(["stateless"]);
  });
});

describe("an older server that fails at the unknown request", () => {
  test.each<[string, Act]>([
    ["500", (_, response) => void response.writeHead(500).end("Internal Server Error")],
    ["501 and an error", (seen, response) => refuse(seen, response, -32_601, 501)],
    ["a reset", (_, response) => void response.destroy()],
    ["an empty stream", (_, response) => void events(response).end()],
    ["silence", () => undefined],
  ])("DISC-15 gets a handshake after %s, and is probed again the next time", async (_, probe) => {
    await using server = await ScriptedHttpServer.start(old(probe));
    const { eras } = fresh();
    for (let count = 0; count < 2; count++) {
      await using client = await connect(server, { eras, probeMs: 250 });
      expect(client.revision).toBe(NEWEST_HANDSHAKE);
    }
    const hello = methods(server).filter((method) => method !== "notifications/initialized");
    expect(hello).toEqual(["server/discover", "initialize", "server/discover", "initialize"]);
  });

  test("DISC-15 is a newer one that is slow if it rejects the handshake", async () => {
    let probes = 0;
    await using server = await serveStateless((seen, response) => {
      if (seen.message.method === "initialize") return refuse(seen, response, -32_601, 404);
      if (seen.message.method === "server/discover") return probes++ === 0 ? undefined : false;
      return false;
    });
    await using client = await connect(server, { probeMs: 250, ...fresh() });
    expect(client.revision).toBe(NEWEST);
    expect(methods(server)).toEqual(["server/discover", "initialize", "server/discover"]);
  });

  test("DISC-15 is reported with the first failure if it rejects the handshake too", async () => {
    await using server = await ScriptedHttpServer.start((seen, response) =>
      seen.message.method === "server/discover" ? void response.writeHead(500).end("broken") : refuse(seen, response, -32_601, 404),
    );
    expect(await failure(connect(server, fresh()))).toMatchObject({ status: 500, body: "broken" });
  });
});

describe("reports failures that do not depend on the era", () => {
  test.each([401, 402, 403, 408, 429, 502, 503, 301])("DISC-15 status %i", async (status) => {
    await using server = await ScriptedHttpServer.start(
      (seen, response) => (response.setHeader("www-authenticate", "Bearer"), refuse(seen, response, -32_601, status)),
    );
    expect(await failure(connect(server, fresh()))).toMatchObject({ name: "HttpStatusError", status });
    expect(methods(server)).toEqual(["server/discover"]);
  });

  test("DISC-15 a refused connection", async () => {
    expect(await failure(connect({ url: "http://127.0.0.1:9/mcp" }, fresh()))).toBeInstanceOf(InterruptedError);
  });

  test("DISC-15 silence", async () => {
    await using server = await ScriptedHttpServer.start(() => undefined);
    // What the server has seen by then is left open: on a busy machine a request may be given up before it arrives.
    expect(await failure(connect(server, { timeoutMs: 50, ...fresh() }))).toEqual(new RequestTimeoutError("initialize", 50, false));
  });
});

describe("a newer server", () => {
  test.each([
    [400, -32_020],
    [400, -32_021],
  ])("DISC-15 gets no handshake after status %i with %i, which is reported", async (status, code) => {
    for (const id of [1, null]) {
      await using server = await ScriptedHttpServer.start((_, response) => json(response, { id, error: { code, message: "no" } }, status));
      expect(await failure(connect(server, fresh()))).toMatchObject({ code });
      expect(methods(server)).toEqual(["server/discover"]);
    }
  });

  test("DISC-09 HTTP-43 is probed again with a common version after 400 with -32022, in body and header", async () => {
    let refused = false;
    await using server = await serveStateless((seen, response) => {
      if (refused) return false;
      refused = true;
      refuse(seen, response, -32_022, 400, { supported: [NEWEST], requested: "x" });
    });
    await using client = await connect(server, fresh());
    expect(client.revision).toBe(NEWEST);
    expect(methods(server)).toEqual(["server/discover", "server/discover"]);
    expect(server.seen.map(({ headers }) => headers["mcp-protocol-version"])).toEqual([NEWEST, NEWEST]);
  });

  test("DISC-16 of the kit needs neither handshake nor session", async () => {
    const { url, stop, counts } = await serveHttp(
      defineServer({ name: "s", version: "1", tools: [tool({ name: "t", run: () => "done" })] }),
      { port: 0 },
    );
    const client = await connect({ url }, fresh());
    expect(client.revision).toBe(NEWEST);
    expect((await client.call("t")).content).toEqual([{ type: "text", text: "done" }]);
    expect(counts().sessions).toBe(0);
    await client.close();
    await stop();
  });
});

describe("HTTP-56 tries the older pair of endpoints only if no newer server refused", () => {
  test.each<[string, Act]>([
    ["404 and -32601", (seen, response) => refuse(seen, response, -32_601, 404)],
    ["404 and -32601 without an id", (_, response) => json(response, { error: { code: -32_601, message: "no" } }, 404)],
    ["400 and -32022", (_, response) => json(response, { error: { code: -32_022, message: "no", data: { supported: [NEWEST] } } }, 400)],
    ["400 and -32020", (_, response) => json(response, { id: null, error: { code: -32_020, message: "no" } }, 400)],
  ])("HTTP-56 not after %s", async (_, act) => {
    await using server = await ScriptedHttpServer.start(act);
    await expect(connect(server, { revision: NEWEST_HANDSHAKE })).rejects.toThrow(/\bno\b/);
    expect(server.seen.map(({ http }) => http)).toEqual(["POST"]);
  });

  test.each([400, 404, 405])("HTTP-56 after %i without such a body", async (status) => {
    await using server = await ScriptedHttpServer.start((_, response) => void response.writeHead(status).end("no"));
    await expect(connect(server, fresh())).rejects.toThrow(new HttpStatusError("POST", status, { body: "no" }));
    expect(server.seen.map(({ http, message }) => message.method ?? http)).toEqual(["server/discover", "initialize", "GET"]);
  });
});
