// Both eras on one pipe: a session and stateless requests side by side (requirements DISC-19 to DISC-21).
import { describe, expect, test } from "vitest";
import { REVISIONS, type Json } from "../../src/protocol.ts";
import {
  answersTo,
  call,
  cancel,
  eventually,
  rawSample,
  readySample,
  refusal,
  request,
  STATEFUL,
  stillServes,
  words,
} from "../support/sample.ts";
import {
  asks,
  CAPABILITIES,
  CLIENT_INFO,
  LOG_LEVEL,
  NEWEST,
  SERVER_INFO,
  SUBSCRIPTION_ID,
  VERSION,
  type As,
} from "../support/stateless-message.ts";
import { ABLE } from "../support/talk.ts";

const modernCall = (id: string | number, name: string, args: Json = {}, as: As = {}): Json =>
  asks("tools/call", { name, arguments: args }, { id, ...as });
const stamped = (id: unknown, value: Json): Json => ({
  jsonrpc: "2.0",
  id,
  result: { resultType: "complete", ...value, _meta: { [SERVER_INFO]: expect.objectContaining({ name: "sample" }) } },
});
const replyText = (id: unknown, text: string): Json => stamped(id, { content: [{ type: "text", text }] });
const discovered = (id: unknown): Json =>
  stamped(id, {
    supportedVersions: REVISIONS,
    capabilities: expect.objectContaining({ tools: { listChanged: true } }),
    instructions: "Call echo.",
    ttlMs: expect.any(Number),
    cacheScope: "public",
  });
const initialize = (id: unknown, protocolVersion: string): Json =>
  request(id, "initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "c", version: "1" } });

describe("malformed envelopes over stdio", () => {
  const GOOD = { [VERSION]: NEWEST, [CAPABILITIES]: {} };
  const TABLE: [what: string, method: string, meta: unknown, code: number][] = [
    ["META-09 no _meta", "server/discover", undefined, -32602],
    ["META-09 an empty _meta", "server/discover", {}, -32602],
    ["META-09 _meta that is null", "server/discover", null, -32602],
    ["META-09 _meta that is a list", "server/discover", [], -32602],
    ["META-09 no version", "server/discover", { [CAPABILITIES]: {} }, -32602],
    ["META-09 no capabilities", "server/discover", { [VERSION]: NEWEST }, -32602],
    ["META-09 no capabilities, another method", "tools/list", { [VERSION]: NEWEST }, -32602],
    ["META-09 no capabilities, an unknown method", "nope", { [VERSION]: NEWEST }, -32602],
    ["META-09 a version that is a number", "tools/list", { ...GOOD, [VERSION]: 1 }, -32602],
    ["META-09 a version that is null", "tools/list", { ...GOOD, [VERSION]: null }, -32602],
    ["META-09 capabilities that are a list", "tools/list", { ...GOOD, [CAPABILITIES]: [] }, -32602],
    ["a client without a version", "tools/list", { ...GOOD, [CLIENT_INFO]: { name: "c" } }, -32602],
    ["LOG-13 an unknown level", "tools/list", { ...GOOD, [LOG_LEVEL]: "loud" }, -32602],
    ["DISC-07 a version of the other era", "tools/list", { ...GOOD, [VERSION]: "2025-11-25" }, -32022],
    ["DISC-07 an unknown version", "initialize", { ...GOOD, [VERSION]: "v999.0.0" }, -32022],
    ["DISC-20 initialize", "initialize", GOOD, -32601],
    ["DISC-20 ping", "ping", GOOD, -32601],
    ["LOG-14 DISC-20 logging/setLevel", "logging/setLevel", GOOD, -32601],
    ["SUB-21 DISC-20 resources/subscribe", "resources/subscribe", GOOD, -32601],
    ["SUB-21 DISC-20 resources/unsubscribe", "resources/unsubscribe", GOOD, -32601],
  ];

  test.each(["before a handshake", "in a session"])("get their code, %s; DISC-21 and leave the handshake unchanged", async (when) => {
    await using server = when === "in a session" ? await readySample() : rawSample();
    const params = {
      level: "debug",
      uri: "sample://text",
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "c", version: "1" },
    };
    for (const [what, method, _meta, code] of TABLE) {
      const [answer, ...more] = await answersTo(server, [request(1, method, { ...params, ...(_meta !== undefined && { _meta }) })]);
      const data = code === -32022 && { data: { supported: REVISIONS, requested: (_meta as Json)[VERSION] } };
      expect.soft(answer, what).toEqual({ jsonrpc: "2.0", id: 1, error: { code, message: expect.any(String), ...data } });
      expect.soft(more, what).toEqual([]);
    }
    expect(await answersTo(server, [asks("server/discover")])).toEqual([discovered(1)]);
  });

  test("names both ways in for a request without envelope and session", async () => {
    await using server = rawSample();
    const [answer] = await answersTo(server, [request(1, "tools/list")]);
    expect(answer).toEqual({ jsonrpc: "2.0", id: 1, error: { code: -32602, message: expect.stringMatching(/initialize/) } });
  });
});

describe("DISC-19 DISC-21 a session beside stateless requests", () => {
  test.each(STATEFUL)("encodes each for its revision, side by side with %s", async (revision) => {
    await using server = rawSample();
    expect(await answersTo(server, [asks("server/discover", {}, { id: "before" })])).toEqual([discovered("before")]);
    expect(await answersTo(server, [modernCall("early", "echo", { message: "m" })])).toEqual([replyText("early", "m")]);
    // Between initialize and initialized.
    const [hello, during] = await answersTo(server, [initialize("hello", revision), asks("server/discover", {}, { id: "during" })]);
    expect(hello).toMatchObject({ id: "hello", result: { protocolVersion: revision } });
    expect(during).toEqual(discovered("during"));
    void server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect(await answersTo(server, [asks("server/discover", {}, { id: "after" })])).toEqual([discovered("after")]);
    for (let time = 0; time < 3; time++) {
      const answers = await answersTo(server, [
        call("s", "echo", { message: "session" }),
        modernCall("m", "echo", { message: "alone" }),
        request("l", "tools/list"),
        asks("tools/list", {}, { id: "n" }),
      ]);
      expect(answers.slice(0, 2)).toEqual([words("s", "session"), replyText("m", "alone")]);
      const [ofSession, ofNewest] = answers.slice(2).map(({ result }) => result as Json);
      expect(Object.keys(ofSession!)).toEqual(["tools"]);
      expect(Object.keys(ofNewest!).sort()).toEqual(["_meta", "cacheScope", "resultType", "tools", "ttlMs"]);
    }
    // Wrong arguments in each one's way.
    const [old, own] = await answersTo(server, [call("s", "echo", {}), modernCall("m", "echo", {})]);
    expect("error" in old!).toBe(revision < "2025-11-25");
    expect(own).toMatchObject({ result: { isError: true, resultType: "complete" } });
    await stillServes(server);
  });

  test("META-11 keeps the capabilities of session and requests apart", async () => {
    await using server = await readySample({}, "2025-11-25", ABLE);
    expect(await server.request(modernCall("m", "ask"))).toMatchObject({ error: { code: -32021 } });
    await using poor = await readySample();
    const asked = await poor.request(modernCall("m", "ask", {}, { capabilities: ABLE }));
    expect(asked).toMatchObject({ result: { resultType: "input_required" } });
    expect(await poor.request(call("s", "ask"))).toMatchObject({ result: { isError: true } });
  });

  test("LOG-10 LOG-11 LOG-12 keeps the log levels of session and requests apart", async () => {
    await using server = await readySample();
    const levels = async (line: Json): Promise<unknown[]> =>
      (await answersTo(server, [line])).flatMap(({ method, params }) =>
        method === "notifications/message" ? [(params as Json)["level"]] : [],
      );
    await answersTo(server, [request("level", "logging/setLevel", { level: "error" })]);
    expect(await levels(modernCall("m", "log", { data: 1 }))).toEqual([]);
    expect(await levels(modernCall("m", "log", { data: 1 }, { logLevel: "notice" }))).toEqual(["notice", "warning", "error"]);
    expect(await levels(call("s", "log", { data: 1 }))).toEqual(["error"]);
    await answersTo(server, [request("level", "logging/setLevel", { level: "debug" })]);
    expect(await levels(modernCall("m", "log", { data: 1 }, { logLevel: "error" }))).toEqual(["error"]);
    expect(await levels(call("s", "log", { data: 1 }))).toHaveLength(5);
  });

  test("PROG-13 sends progress of both under its own token, before each response", async () => {
    await using server = await readySample();
    const lines = [
      modernCall("m", "progress", { steps: [1], total: 2 }, { progressToken: "own" }),
      call("s", "progress", { steps: [1] }, { progressToken: 7 }),
    ];
    for (const line of lines) void server.send(line);
    const answers = [await server.message(), await server.message(), await server.message(), await server.message()];
    const tokens = answers.map(({ id, params }) => id ?? (params as Json)["progressToken"]);
    expect(tokens.filter((token) => token === "own" || token === "m")).toEqual(["own", "m"]);
    expect(tokens.filter((token) => token === 7 || token === "s")).toEqual([7, "s"]);
  });

  test("sends a client request in the session, and never in the stateless era", async () => {
    await using server = await readySample({}, "2025-11-25", ABLE);
    void server.send(call("s", "ask", { message: "live?" }));
    void server.send(modernCall("m", "ask", { message: "in rounds?" }, { capabilities: ABLE }));
    const came = [await server.message(), await server.message()];
    const live = came.find(({ method }) => method === "elicitation/create")!;
    const round = came.find(({ id }) => id === "m")!;
    expect(live).toMatchObject({ params: { message: "live?" } });
    const { requestState } = round["result"] as Json;
    const answer = { "elicit-1": { action: "accept", content: { name: "Ada" } } };
    // Answered out of turn: the one does not wait for the other.
    const params = { name: "ask", arguments: { message: "in rounds?" }, requestState, inputResponses: answer };
    expect(await server.request(asks("tools/call", params, { id: "m", capabilities: ABLE }))).toEqual(
      replyText("m", '{"name":"Ada","sure":false}'),
    );
    void server.send({ jsonrpc: "2.0", id: live["id"], result: { action: "decline" } });
    expect(await server.message()).toEqual(words("s", "decline"));
  });

  test("notifies the session in its era's form, and each subscription in its own", async () => {
    await using server = await readySample();
    void server.send(asks("subscriptions/listen", { notifications: { toolsListChanged: true } }, { id: "news" }));
    await server.until(({ method }) => method === "notifications/subscriptions/acknowledged");
    const notes = (await answersTo(server, [modernCall("m", "grow", { name: "more" })])).filter(({ id }) => id === undefined);
    const list = (name: string): Json => ({ jsonrpc: "2.0", method: `notifications/${name}/list_changed` });
    expect(notes).toHaveLength(4);
    expect(notes).toEqual(
      expect.arrayContaining([
        ...["tools", "resources", "prompts"].map(list),
        { ...list("tools"), params: { _meta: { [SUBSCRIPTION_ID]: "news" } } },
      ]),
    );
  });

  test("allows arrays in one revision only, without messages of the other era", async () => {
    await using server = await readySample({}, "2025-03-26");
    const batch = (...members: Json[]): Json => members as unknown as Json; // as it goes over the wire
    expect(await answersTo(server, [batch(call("s", "echo", { message: "m" }), modernCall("m", "echo", { message: "m" }))])).toEqual([
      refusal(null, -32600),
    ]);
    expect(await answersTo(server, [batch(call("s", "echo", { message: "m" }))])).toEqual([[words("s", "m")]]);
    await using other = rawSample();
    expect(await answersTo(other, [batch(asks("server/discover"))])).toEqual([refusal(null, -32600)]);
  });
});

describe("ids and cancellations of both eras", () => {
  test.each<[what: string, first: Json, second: Json]>([
    ["the session's first", call(1, "slow", { name: "kept" }), modernCall(1, "echo", { message: "m" })],
    ["the other first", modernCall(1, "slow", { name: "kept" }), call(1, "echo", { message: "m" })],
  ])("share one id space: %s", async (_what, first, second) => {
    await using server = await readySample();
    const [refused, ...more] = await answersTo(server, [first, second]);
    expect(refused).toEqual(refusal(null, -32600));
    expect(more).toEqual([]);
    // Afterwards it is free for either.
    expect(await answersTo(server, [cancel(1), second])).toHaveLength(1);
    expect(await answersTo(server, [modernCall(1, "echo", { message: "m" })])).toEqual([replyText(1, "m")]);
    expect(await answersTo(server, [call(1, "echo", { message: "m" })])).toEqual([words(1, "m")]);
  });

  test("CANCEL-11 end the named request of either era without a response", async () => {
    await using server = await readySample();
    const lines = [
      call(1, "slow", { name: "session" }),
      modernCall(2, "slow", { name: "stateless" }),
      call("1", "slow", { name: "other", ms: 800 }),
      modernCall("2", "slow", { name: "last", ms: 800 }),
    ];
    expect(await answersTo(server, lines)).toEqual([]);
    expect(await answersTo(server, [cancel(2)])).toEqual([]);
    await eventually(() => server.stderr).toContain("stateless aborted");
    expect(server.stderr).not.toContain("session aborted");
    expect(await answersTo(server, [cancel(1), cancel(3), cancel(1)])).toEqual([]);
    await eventually(() => server.stderr).toContain("session aborted");
    // Calls without a cancellation are answered; the others stay without an answer.
    const rest = [await server.message(), await server.message()];
    expect(rest).toEqual(expect.arrayContaining([words("1", "other waited"), replyText("2", "last waited")]));
    await stillServes(server);
  });

  test("JSON-23 JSON-26 answer many of both at once, each in its era's form", async () => {
    await using server = await readySample();
    const lines = Array.from({ length: 300 }, (_, at) =>
      at % 2 === 0 ? call(at, "busy", { ms: at % 7 }) : modernCall(at, "sum", { a: at, b: 1, mode: at % 3 === 0 ? "async" : "plain" }),
    );
    for (const line of lines) void server.send(line);
    const answers = new Map<unknown, Json>();
    while (answers.size < lines.length) {
      const answer = await server.message();
      expect(answers.has(answer["id"])).toBe(false);
      answers.set(answer["id"], answer["result"] as Json);
    }
    for (const [id, result] of answers) expect(result["resultType"]).toBe(Number(id) % 2 === 0 ? undefined : "complete");
    await stillServes(server);
  });
});

test("SESS-15 TOOL-07 PROMPT-16 RES-25 RT-01 returns the same lists before, in and after a session, except for members of the session's era", async () => {
  await using server = rawSample();
  const lists = async (): Promise<unknown[]> => {
    const found = [];
    for (const method of ["tools/list", "resources/list", "resources/templates/list", "prompts/list"])
      found.push((await server.request(asks(method, {}, { id: method })))["result"]);
    return found;
  };
  const before = await lists();
  await server.handshake("2024-11-05", ABLE);
  expect(await lists()).toEqual(before);
  await server.request(call("t", "touch", { uri: "sample://text" }));
  expect(await lists()).toEqual(before);
});

test("STDIO-13 JSON-24 sends only responses and notifications in the newest era, never a request", async () => {
  await using server = rawSample();
  const tools = ["ask", "ask_url", "sample", "roots", "progress", "log", "echo"];
  const lines = tools.map((name, id) =>
    modernCall(id, name, { message: "m", data: 1 }, { capabilities: ABLE, logLevel: "debug", progressToken: id }),
  );
  lines.push(
    asks("subscriptions/listen", { notifications: { toolsListChanged: true } }, { id: "news" }),
    modernCall("grow", "grow", { name: "more" }),
  );
  for (const line of lines) void server.send(line);
  const wanted = new Set<unknown>([...tools.keys(), "grow"]);
  const kinds = new Set<string>();
  while (wanted.size > 0) {
    const message = await server.message();
    wanted.delete(message["id"]);
    kinds.add(message["method"] === undefined ? "answer" : message["id"] === undefined ? "notification" : "request");
  }
  expect([...kinds].sort()).toEqual(["answer", "notification"]);
  expect(await answersTo(server, [])).toEqual([]);
});
