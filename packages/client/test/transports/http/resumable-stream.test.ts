import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import type { Json } from "@oarlock/server-kit/protocol";
import { HttpStatusError, InterruptedError, type Client } from "@oarlock/client";
import { event, events, json, ScriptedHttpServer, text } from "../../support/scripted-http-server.ts";
import { connect } from "../../support/connect-session.ts";
import { called, RESULT, scripted } from "../../support/resumed-calls.ts";

const progress = (token: unknown, step: number) => ({ method: "notifications/progress", params: { progressToken: token, progress: step } });

describe("HTTP-50: parses a stream with", () => {
  const answer = (id: unknown) => text({ id: id as Json, result: RESULT });
  test.each<[string, (id: unknown) => (string | Buffer)[]]>([
    ["comments, between and in events", (id) => [": hello\n\n:\n", `:x\ndata: ${answer(id)}\n: y\n\n`]],
    ["unknown fields", (id) => [`priority: 1\nx\ndata: ${answer(id)}\nnonsense\n\n`]],
    ["events of other types", (id) => ["event: ping\ndata: {}\n\n", "event: endpoint\ndata: /elsewhere\n\n", `data: ${answer(id)}\n\n`]],
    ["events without data", (id) => ["id: 1\ndata: \n\n", "id: 2\n\n", `event: message\ndata: ${answer(id)}\n\n`]],
    ["no blank behind the colon", (id) => [`data:${answer(id)}\n\n`]],
    ["CR and LF", (id) => [`event: message\r\ndata: ${answer(id)}\r\n\r\n`]],
    ["CR only", (id) => [`data: ${answer(id)}\r\r`, ":\r"]],
    ["data of several lines", (id) => [`data: {"jsonrpc":"2.0","id":${String(id)},\ndata: "result":${JSON.stringify(RESULT)}}\n\n`]],
    ["a byte order mark", (id) => [`\uFEFFdata: ${answer(id)}\n\n`]],
    ["one byte after the other", (id) => [...Buffer.from(`: ü\r\ndata: ${answer(id)}\r\n\r\n`)].map((byte) => Buffer.of(byte))],
    ["a retry time that is none", (id) => [`retry: soon\ndata: ${answer(id)}\n\n`]],
  ])("%s", async (_, chunks) => {
    await using server = await ScriptedHttpServer.start(async ({ message }, response) => {
      if (message.method !== "tools/call") return false;
      events(response);
      for (const chunk of chunks(message.id)) await new Promise((resolve) => response.write(chunk, resolve));
      response.end();
      return true;
    });
    const faults: string[] = [];
    await using client = await connect(server, { onFault: (what) => faults.push(what) });
    expect(await client.request("tools/call")).toEqual(RESULT);
    expect(faults).toEqual([]);
  });
});

describe("RESUME-04 RESUME-07: resumes by GET a stream that ends before the response", () => {
  test.each<[string, (response: ServerResponse) => void]>([
    ["HTTP-27: closed by the server", (response) => response.end()],
    ["broken", (response) => response.destroy()],
  ])("%s", async (_, stop) => {
    await using server = await scripted(
      (response, id) =>
        events(response, "retry: 20\nid: a-1\ndata: \n\n", event(progress(id, 1), "a-2")).write("id: a-3\ndata: half", () =>
          stop(response),
        ),
      (response, id) => events(response, event(progress(id, 2), "a-4")).write("\n", () => stop(response)),
      (response, id) => void events(response, event({ id: id as Json, result: RESULT }, "a-5")).end(),
    );
    const { result, heard, faults, gets } = await called(server);
    expect(result).toEqual(RESULT);
    expect(heard).toEqual([1, 2]);
    expect(faults).toEqual([]);
    expect(gets.map(({ headers }) => headers["last-event-id"])).toEqual(["a-2", "a-4"]);
    for (const { headers } of gets) {
      expect(headers).toMatchObject({
        accept: "text/event-stream",
        "mcp-session-id": expect.any(String),
        "mcp-protocol-version": "2025-11-25",
      });
    }
  });

  test("as often as the server closes the stream", async () => {
    const polls = Array.from({ length: 12 }, () => (response: ServerResponse) => void events(response).end());
    await using server = await scripted(
      (response) => void events(response, "retry: 1\nid: 1\ndata: \n\n").end(),
      ...polls,
      (response, id) => void events(response, event({ id: id as Json, result: RESULT })).end(),
    );
    const { result, gets } = await called(server);
    expect(result).toEqual(RESULT);
    expect(gets).toHaveLength(13);
  });

  test.each([409, 429, 500, 503])("again with growing delays after a refusal with %i", async (status) => {
    await using server = await scripted(
      (response) => void events(response, "retry: 20\nid: 1\ndata: \n\n").end(),
      (response) => void response.writeHead(status).end(),
      (response) => void response.destroy(),
      (response, id) => void events(response, event({ id: id as Json, result: RESULT })).end(),
    );
    const { result, gets } = await called(server);
    expect(result).toEqual(RESULT);
    const [first, second, third] = gets.map(({ at }) => at) as [number, number, number];
    expect(second - first).toBeGreaterThanOrEqual(39);
    expect(third - second).toBeGreaterThanOrEqual(79);
  });

  test("a limited number of times", async () => {
    await using server = await scripted((response) => void events(response, "retry: 1\nid: 1\ndata: \n\n").end());
    const { result, gets } = await called(server);
    expect(result).toEqual(
      new InterruptedError(
        "The server's stream ended before the response, and 5 attempts to resume it failed: The server rejected GET with HTTP status 500: the script is over",
      ),
    );
    expect(gets).toHaveLength(5);
  });

  test.each([400, 401, 405])("not after a refusal with %i", async (status) => {
    await using server = await scripted(
      (response) => void events(response, "retry: 1\nid: 1\ndata: \n\n").end(),
      (response) => void response.writeHead(status).end("no"),
    );
    const { result, gets } = await called(server);
    expect(result).toEqual(new HttpStatusError("GET", status, { body: "no" }));
    expect(gets).toHaveLength(1);
  });

  test.each<[string, string[]]>([
    ["its events had no ids", [":\n\n", event(progress(2, 1))]],
    ["the last id was taken back", ["id: 1\ndata: \n\n", "id\ndata: \n\n"]],
  ])("not if %s: the request fails with the reason", async (_, texts) => {
    await using server = await scripted((response) => void events(response, "retry: 1\n\n", ...texts).end());
    const { result, gets } = await called(server);
    expect(result).toEqual(
      new InterruptedError("The server's stream ended before the response, and its events have no ids to resume it by"),
    );
    expect(gets).toEqual([]);
  });

  test("HTTP-29: not for an aborted request, which is cancelled by a POST", async () => {
    const abort = new AbortController();
    const ends = (response: ServerResponse): void => void events(response, "retry: 500\nid: 1\ndata: \n\n").end();
    await using server = await scripted(
      (response) => {
        ends(response);
        setTimeout(() => abort.abort(new Error("enough")), 20);
      },
      ends,
      (response, id) => void events(response, event({ id: id as Json, result: RESULT })).end(),
    );
    await using client = await connect(server);
    await expect(client.call("x", {}, { signal: abort.signal })).rejects.toThrow("enough");
    await expect.poll(() => server.of("notifications/cancelled")).toHaveLength(1);
    // A later call waits as long, so its GET comes after the one that must not come.
    expect(await client.call("x")).toEqual(RESULT);
    expect(server.of("GET").filter(({ headers }) => "last-event-id" in headers)).toHaveLength(1);
  });
});

describe("HTTP-32: the standalone stream", () => {
  const news = { method: "notifications/tools/list_changed" };

  /** GETs are answered by these, one after the other; then the stream stays open. */
  const standing = (...steps: ((response: ServerResponse) => void)[]): Promise<ScriptedHttpServer> =>
    ScriptedHttpServer.start(({ http }, response) => {
      if (http !== "GET") return false;
      (steps.shift() ?? ((open) => void events(open, event(news))))(response);
      return true;
    });
  const heardOn = async (server: ScriptedHttpServer, body?: (client: Client) => Promise<void>): Promise<string[]> => {
    const heard = Promise.withResolvers<void>();
    const faults: string[] = [];
    await using client = await connect(server, { onListChanged: () => heard.resolve(), onFault: (what) => faults.push(what) });
    await (body?.(client) ?? heard.promise);
    return faults;
  };

  test("opens when the session is ready", async () => {
    await using server = await standing();
    expect(await heardOn(server)).toEqual([]);
    expect(server.seen.findIndex(({ http }) => http === "GET")).toBeGreaterThan(
      server.seen.findIndex(({ message }) => message.method === "notifications/initialized"),
    );
  });

  test("HTTP-26 RESUME-04: resumes after its last event and the retry time", async () => {
    await using server = await standing(
      (response) => void events(response, "retry: 50\nid: s-1\ndata: \n\n").end(),
      (response) => void response.destroy(),
    );
    expect(await heardOn(server)).toEqual([]);
    const gets = server.of("GET");
    expect(gets.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "s-1", "s-1"]);
    expect(gets[1]!.at - gets[0]!.at).toBeGreaterThanOrEqual(49);
    expect(gets[2]!.at - gets[1]!.at).toBeGreaterThanOrEqual(99);
  });

  test("reopens without an id if events had none", async () => {
    await using server = await standing((response) => void events(response, "retry: 10\n\n").end());
    expect(await heardOn(server)).toEqual([]);
    expect(server.of("GET").map(({ headers }) => headers["last-event-id"])).toEqual([undefined, undefined]);
  });

  test("is optional for the server", async () => {
    await using server = await ScriptedHttpServer.start();
    const faults = await heardOn(server, async (client) => {
      await expect.poll(() => server.of("GET")).toHaveLength(1);
      await client.ping();
    });
    expect(faults).toEqual([]);
    expect(server.of("GET")).toHaveLength(1);
  });

  test.each([400, 403])("reports a refusal with %i and continues", async (status) => {
    await using server = await standing((response) => void response.writeHead(status).end("no"));
    const faults: string[] = [];
    await using client = await connect(server, { onFault: (what) => faults.push(what) });
    await expect.poll(() => faults).toEqual([`Standalone stream failed: The server rejected GET with HTTP status ${status}: no`]);
    await client.ping();
  });

  test("answers a request on it by a POST", async () => {
    await using server = await standing((response) => void events(response, event({ id: "q-1", method: "roots/list" })));
    await using client = await connect(server, { roots: [{ uri: "file:///a" }] });
    const answers = (): Json[] => server.of("POST").flatMap(({ message }) => (message.id === "q-1" ? [message] : []));
    await expect.poll(answers).toEqual([{ jsonrpc: "2.0", id: "q-1", result: { roots: [{ uri: "file:///a" }] } }]);
    await client.ping();
  });

  test("sends an error in place of a response that is too large for the server", async () => {
    const answers: Json[] = [];
    await using server = await ScriptedHttpServer.start(({ http, message }, response) => {
      if (message.id === "q-1") answers.push(message);
      if (message.id === "q-1" && answers.length === 1) json(response, {}, 413);
      else if (http === "GET") events(response, event({ id: "q-1", method: "roots/list" }));
      else return false;
      return true;
    });
    const faults: string[] = [];
    await using client = await connect(server, { roots: [{ uri: "file:///a" }], onFault: (what) => faults.push(what) });
    await expect
      .poll(() => faults)
      .toEqual([expect.stringContaining("Response of the client failed: The server rejected POST with HTTP status 413")]);
    const message = "Response of the client too large: the server refused it (HTTP 413)";
    expect(answers.slice(1)).toEqual([{ jsonrpc: "2.0", id: "q-1", error: { code: -32603, message } }]);
    await client.ping();
  });

  test("reports a response that the server refuses", async () => {
    await using server = await ScriptedHttpServer.start(({ http, message }, response) => {
      if (message.id === "q-1") json(response, { error: { code: -32600, message: "too late" } }, 400);
      else if (http === "GET") events(response, event({ id: "q-1", method: "ping" }));
      else return false;
      return true;
    });
    const faults: string[] = [];
    await using client = await connect(server, { onFault: (what) => faults.push(what) });
    await expect
      .poll(() => faults)
      .toEqual([expect.stringMatching(/^Response of the client failed: The server rejected POST with HTTP status 400: .*too late/)]);
    await client.ping();
  });
});
