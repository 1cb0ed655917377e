// What requests may look like, and what becomes of odd ones (security cases RPC-06 … RPC-09, RPC-21 … RPC-23).
import { describe, expect, test } from "vitest";
import {
  STATEFUL,
  answersTo,
  call,
  cancel,
  eventually,
  note,
  rawSample,
  readySample,
  refusal,
  request,
  result,
  stillServes,
  words,
} from "../support/sample.ts";

test.each(STATEFUL)("RPC-06 checks methods, in %s", async (revision) => {
  await using server = await readySample({}, revision);
  const unknown = [
    "",
    "nope",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "tools/call ",
    "Tools/call",
    "tools/calls",
    "then",
  ];
  for (const method of unknown) expect.soft(await answersTo(server, [request(1, method)]), method).toEqual([refusal(1, -32601)]);
  const wrong = [undefined, null, 1, true, {}, ["ping"]];
  for (const method of wrong) expect.soft(await answersTo(server, [request(1, method)]), String(method)).toEqual([refusal(null, -32600)]);
  // The newest revision's own methods do not exist in a session, nor do the client's.
  const foreign = ["subscriptions/listen", "roots/list", "sampling/createMessage", "elicitation/create", "tasks/get"];
  for (const method of foreign) expect.soft(await answersTo(server, [request(1, method)]), method).toEqual([refusal(1, -32601)]);
  // This one is served at any time, so here it lacks its envelope.
  expect.soft(await answersTo(server, [request(1, "server/discover")])).toEqual([refusal(1, -32602)]);
  await stillServes(server);
});

test("RPC-06 refuses a method name of 10 MB without repeating it, even if a line may be that long", async () => {
  const long = request(1, "m".repeat(10_000_000));
  await using small = await readySample();
  expect(await answersTo(small, [long])).toEqual([refusal(null, -32600)]);
  await stillServes(small);
  await using large = await readySample({ limits: { messageBytes: 16_000_000 } });
  expect(JSON.stringify(await answersTo(large, [long])).length).toBeLessThan(1000);
  await stillServes(large);
});

test("RPC-07 TOOL-13 requires an object as params", async () => {
  await using server = await readySample();
  for (const params of [[], [1], "text", "", 0, 1, true, false]) {
    const lines = ["tools/call", "tools/list", "ping", "initialize", "nope"].map((method) => request(1, method, params));
    expect.soft(await answersTo(server, lines), JSON.stringify(params)).toEqual(lines.map(() => refusal(1, -32602)));
  }
  for (const args of [[], "text", 1, true]) {
    const lines = [
      request(1, "tools/call", { name: "echo", arguments: args }),
      request(2, "prompts/get", { name: "greet", arguments: args }),
    ];
    expect.soft(await answersTo(server, lines), JSON.stringify(args)).toEqual([refusal(1, -32602), refusal(2, -32602)]);
  }
  for (const name of [undefined, null, 1, ["echo"], { toString: "echo" }]) {
    expect.soft(await answersTo(server, [request(1, "tools/call", { name })]), JSON.stringify(name)).toEqual([refusal(1, -32602)]);
  }
  await stillServes(server);
});

test("RPC-07 takes null for absent params and arguments, in a batch too", async () => {
  await using server = await readySample();
  const lines = [request(1, "tools/list", null), request(2, "ping", null), request(3, "tools/call", { name: "media", arguments: null })];
  const [list, ping, quiet] = await answersTo(server, lines);
  expect(list).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
  expect(ping).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
  expect(quiet).toHaveProperty("result");
  await stillServes(server);
});

describe("RPC-08 ids", () => {
  test("JSON-03 are refused if neither string nor integer, in requests of every kind", async () => {
    await using server = await readySample();
    for (const id of ["null", "1.5", "true", "false", "{}", "[]", "[1]", "9007199254740993", "-9007199254740993", "1e400", "1e300"]) {
      const lines = [
        `{"jsonrpc":"2.0","id":${id},"method":"ping"}`,
        `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo"}}`,
      ];
      expect.soft(await answersTo(server, lines), id).toEqual([refusal(null, -32600), refusal(null, -32600)]);
    }
    await stillServes(server);
  });

  test("JSON-06 are returned unchanged", async () => {
    await using server = await readySample();
    const ids = ["", "1", 1, 0, -1, "0", "x".repeat(10_000), "__proto__", "grün 🌳", 9007199254740991, -9007199254740991];
    expect(
      await answersTo(
        server,
        ids.map((id) => call(id, "echo", { message: String(id) })),
      ),
    ).toEqual(ids.map((id) => words(id, String(id))));
    await stillServes(server);
  });

  test('"1" and 1 name two requests; 0 works, for a cancellation too', async () => {
    await using server = await readySample();
    const slow = (id: string | number) => call(id, "slow", { name: `slow ${JSON.stringify(id)}` });
    expect(await answersTo(server, [slow("1"), slow(1), slow(0), slow("")])).toEqual([]);
    expect(await answersTo(server, [cancel(1), cancel(0), cancel("")])).toEqual([]);
    await eventually(() => server.stderr).toContain('slow "" aborted');
    expect(server.stderr).toContain("slow 1 aborted");
    expect(server.stderr).toContain("slow 0 aborted");
    expect(server.stderr).not.toContain('slow "1" aborted');
    await stillServes(server);
  });
});

test("RPC-09 refuses an id in use, answers the request that has it, and then frees the id", async () => {
  await using server = await readySample();
  void server.send(call(7, "slow", { ms: 100 }));
  const again = [call(7, "echo", { message: "second" }), request(7, "tools/list"), request(7, "ping")];
  expect(await answersTo(server, again)).toEqual(again.map(() => refusal(null, -32600)));
  expect(await server.message()).toEqual(words(7, "slow waited"));
  expect(await answersTo(server, [call(7, "echo", { message: "third" })])).toEqual([words(7, "third")]);
  // A cancelled one is free at once.
  expect(await answersTo(server, [call(8, "slow"), cancel(8), call(8, "echo", { message: "fourth" })])).toEqual([words(8, "fourth")]);
  await stillServes(server);
});

test("RPC-21 JSON-21 reads keys of prototypes as data at every level", async () => {
  await using server = await readySample();
  const evil = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"prototype":{"polluted":1},"admin":true}';
  const lines = [
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":"x","__proto__":{"polluted":1}},"_meta":${evil},"__proto__":{"polluted":1}}}`,
    `{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"greet","arguments":{"who":"Ada","__proto__":"x","constructor":"y"}}}`,
    `{"jsonrpc":"2.0","id":3,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":"A"},"context":{"arguments":${evil}}}}`,
    `{"jsonrpc":"2.0","id":4,"method":"ping","params":${evil},"__proto__":{"polluted":1}}`,
    `{"jsonrpc":"2.0","__proto__":{"id":5,"method":"ping"}}`,
  ];
  const answers = await answersTo(server, lines);
  const byId = answers.toSorted((a, b) => Number(a.id ?? 5) - Number(b.id ?? 5));
  expect(byId.map(({ id, error }) => ({ id, failed: error !== undefined }))).toEqual([
    { id: 1, failed: false },
    { id: 2, failed: false },
    { id: 3, failed: false },
    { id: 4, failed: false },
    { id: null, failed: true },
  ]);
  // Nothing is found on prototypes either.
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    const lookups = [
      request(1, "tools/call", { name }),
      request(2, "prompts/get", { name }),
      request(3, "completion/complete", { ref: { type: "ref/prompt", name: "greet" }, argument: { name, value: "" } }),
      request(4, "completion/complete", { ref: { type: "ref/prompt", name }, argument: { name: "who", value: "" } }),
      request(5, "logging/setLevel", { level: name }),
    ];
    const answers = (await answersTo(server, lookups)).toSorted((a, b) => Number(a.id) - Number(b.id));
    expect.soft(answers, name).toEqual(lookups.map(({ id }) => refusal(id, -32602)));
  }
  expect(await answersTo(server, [call(9, "fresh")])).toEqual([words(9, "[]")]);
  await stillServes(server);
});

test("RPC-22 CANCEL-04 CANCEL-07 ignores invalid cancellations", async () => {
  await using server = await readySample();
  const odd = [
    cancel("unknown"),
    cancel("raw-initialize"), // the id of initialize, answered long ago
    cancel(undefined),
    cancel(null),
    cancel(1.5),
    cancel({}),
    cancel(["x"]),
    note("notifications/cancelled"),
    note("notifications/cancelled", { requestId: 1, reason: 7 }),
    note("notifications/cancelled", { requestId: 1, reason: { toString: 1 } }),
  ];
  expect(await answersTo(server, odd)).toEqual([]);
  // Twice, and with a reason that is not a string.
  const twice = [call(1, "slow"), note("notifications/cancelled", { requestId: 1, reason: { toString: 1 } }), cancel(1), cancel(1)];
  expect(await answersTo(server, twice)).toEqual([]);
  await eventually(() => server.stderr).toContain("slow aborted");
  // Finished ones.
  expect(await answersTo(server, [call(2, "echo", { message: "done" }), cancel(2)])).toEqual([words(2, "done")]);
  await stillServes(server);
});

test("RPC-22 ignores a cancellation of initialize", async () => {
  await using server = rawSample();
  void server.send(cancel("raw-initialize"));
  expect(await server.handshake()).toMatchObject({ id: "raw-initialize", result: { serverInfo: { name: "sample" } } });
  await stillServes(server);
});

test("RPC-23 CANCEL-03 CANCEL-08 aborts a cancelled call with its reason, logs it, and sends no response", async () => {
  await using server = await readySample();
  expect(await answersTo(server, [call(1, "slow"), call(3, "late", { ms: 20 })])).toEqual([]);
  expect(await answersTo(server, [cancel(1), cancel(3)])).toEqual([]);
  expect(server.stderr).toContain("slow aborted: AbortError: no longer needed");
  expect(server.stderr).toMatch(/request cancelled: .*no longer needed/);
  // The one that heeds nothing ends some time: even then nothing comes.
  await eventually(() => server.stderr).toContain("late resolved");
  expect(await answersTo(server, [request("after", "ping")])).toEqual([result("after", {})]);
  await stillServes(server);
});
