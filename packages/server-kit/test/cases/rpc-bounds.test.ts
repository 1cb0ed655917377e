// Too long, too deep, too wide, too many (security cases RPC-04, RPC-11, RPC-13 … RPC-16, RPC-24).
import { describe, expect, test } from "vitest";
import {
  STATEFUL,
  answersTo,
  call,
  cancel,
  eventually,
  rawSample,
  readySample,
  refusal,
  request,
  result,
  stillServes,
  words,
} from "../support/sample.ts";

const MiB = 1024 * 1024;
const batch = (...messages: unknown[]): string => JSON.stringify(messages);

describe("RPC-04 batches", () => {
  test.each(STATEFUL.filter((revision) => revision !== "2025-03-26"))("JSON-20 are refused whole in %s", async (revision) => {
    await using server = await readySample({}, revision);
    const arrays = [
      "[]",
      batch(request(1, "ping")),
      batch(request(1, "ping"), request(2, "ping")),
      "[[]]",
      batch(1, 2),
      `[${"1,".repeat(99_999)}1]`,
    ];
    for (const text of arrays) expect.soft(await answersTo(server, [text]), text.slice(0, 80)).toEqual([refusal(null, -32600)]);
    await stillServes(server);
  });

  test("JSON-20 are refused before the handshake", async () => {
    await using server = rawSample();
    expect(await answersTo(server, [batch(request(1, "ping")), "[]"])).toEqual([refusal(null, -32600), refusal(null, -32600)]);
  });

  test("STDIO-15 JSON-16 are bounded in 2025-03-26", async () => {
    await using server = await readySample({}, "2025-03-26");
    expect(await answersTo(server, ["[]"])).toEqual([refusal(null, -32600)]);
    expect(await answersTo(server, [batch(...Array.from({ length: 100_000 }, (_, id) => request(id, "ping")))])).toEqual([
      refusal(null, -32600),
    ]);
    expect(await answersTo(server, [batch(...Array.from({ length: 101 }, (_, id) => request(id, "ping")))])).toEqual([
      refusal(null, -32600),
    ]);
    expect(await answersTo(server, [batch(...Array.from({ length: 100 }, (_, id) => request(id, "ping")))])).toEqual([
      Array.from({ length: 100 }, (_, id) => result(id, {})),
    ]);
    // Arrays inside a batch are invalid.
    expect(await answersTo(server, ["[[]]", batch([request(1, "ping")], 1, null, "x", request(2, "ping"))])).toEqual([
      [refusal(null, -32600)],
      [refusal(null, -32600), refusal(null, -32600), refusal(null, -32600), refusal(null, -32600), result(2, {})],
    ]);
    await stillServes(server);
  });
});

test("RPC-11 100,000 stray responses are ignored and leave nothing behind", async () => {
  await using server = await readySample();
  const stray = (at: number): string =>
    JSON.stringify(
      at % 2 === 0 ? { jsonrpc: "2.0", id: `stray-${at}`, result: { at } } : { jsonrpc: "2.0", id: at, error: { code: 1, message: "x" } },
    );
  const flood = `${Array.from({ length: 100_000 }, (_, at) => stray(at)).join("\n")}\n`;
  void server.write(flood);
  expect(await answersTo(server, [])).toEqual([]);
  const before = server.memory()?.now ?? 0;
  void server.write(flood);
  expect(await answersTo(server, [])).toEqual([]);
  expect((server.memory()?.now ?? 0) - before).toBeLessThan(48 * MiB);
  await stillServes(server);
});

test("RPC-13 an endless line is an error at the limit, costs no memory, and the next line is served", async () => {
  await using server = await readySample();
  const part = Buffer.alloc(MiB, "x");
  const pour = async (count: number): Promise<void> => {
    for (let sent = 0; sent < count; sent++) await server.write(part);
  };
  await server.write(`{"jsonrpc":"2.0","id":1,"method":"`);
  await pour(5);
  // The error does not wait for the end of the line.
  expect(await server.message()).toEqual(refusal(null, -32600));
  // Buffers of a first part lie about until they are collected; from then on nothing may grow.
  await pour(123);
  const before = server.memory()?.peak ?? 0;
  await pour(1024 - 128);
  await server.write("\n");
  await stillServes(server);
  expect((server.memory()?.peak ?? 0) - before).toBeLessThan(128 * MiB);
});

test("RPC-14 the edge of the limit: exactly the limit, one more, and a near-limit message with a second one in one chunk", async () => {
  const limit = 100_000;
  await using server = await readySample({ limits: { messageBytes: limit } });
  const sized = (id: number, bytes: number): string => {
    const bare = JSON.stringify(call(id, "echo", { message: "" }));
    return JSON.stringify(call(id, "echo", { message: "x".repeat(bytes - bare.length) }));
  };
  expect(sized(1, limit)).toHaveLength(limit);
  const text = (id: number, bytes: number): string => JSON.parse(sized(id, bytes)).params.arguments.message;
  expect(await answersTo(server, [sized(1, limit)])).toEqual([words(1, text(1, limit))]);
  expect(await answersTo(server, [sized(2, limit + 1)])).toEqual([refusal(null, -32600)]);
  void server.write(`${sized(3, limit - 1)}\n${sized(4, limit)}\n${sized(5, limit + 1)}\n${sized(6, limit)}\n`);
  expect(await answersTo(server, [])).toEqual([
    words(3, text(3, limit - 1)),
    words(4, text(4, limit)),
    refusal(null, -32600),
    words(6, text(6, limit)),
  ]);
  await stillServes(server);
});

test("RPC-14 1 MiB is served by default, 8 MiB of garbage on one line is survived", async () => {
  await using server = await readySample();
  const message = "x".repeat(MiB);
  expect(await answersTo(server, [call(1, "echo", { message }), "x".repeat(8 * MiB)])).toEqual([words(1, message), refusal(null, -32600)]);
  await stillServes(server);
});

test("RPC-15 a million levels are refused, in params and as the whole message", async () => {
  await using server = await readySample({ limits: { messageBytes: 32 * MiB } });
  const arrays = "[".repeat(1_000_000) + "]".repeat(1_000_000);
  const objects = `${'{"a":'.repeat(1_000_000)}1${"}".repeat(1_000_000)}`;
  const inParams = (value: string): string =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log","arguments":{"data":${value}}}}`;
  for (const [name, line] of Object.entries({
    arrays,
    objects,
    "arrays in params": inParams(arrays),
    "objects in params": inParams(objects),
  })) {
    expect.soft(await answersTo(server, [line]), name).toEqual([refusal(null, -32600)]);
  }
  // Unclosed, it is not JSON.
  expect(await answersTo(server, ["[".repeat(1_000_000), '{"a":'.repeat(1_000_000)])).toEqual([
    refusal(null, -32700),
    refusal(null, -32700),
  ]);
  await stillServes(server);
});

test("RPC-15 128 levels are served, 129 are refused", async () => {
  await using server = await readySample();
  const nested = (levels: number): string => {
    const data = "[".repeat(levels - 3) + "]".repeat(levels - 3); // inside message, params, arguments
    return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fresh","arguments":{"data":${data}}}}`;
  };
  expect(await answersTo(server, [nested(128), nested(129)])).toEqual([words(1, "[]"), refusal(null, -32600)]);
  await stillServes(server);
});

test("RPC-16 a million keys, five million numbers, and keys that fill one table are refused or served within the deadline", async () => {
  await using server = await readySample({ limits: { messageBytes: 32 * MiB } });
  // Once of three times: a busy machine stretches the clock.
  const asked = async (data: string, tries = 3): Promise<unknown> => {
    const started = performance.now();
    const answers = await answersTo(server, [
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fresh","arguments":{"data":${data}}}}`,
    ]);
    if (performance.now() - started < 5000) return answers;
    expect(tries, "tries that are left").toBeGreaterThan(1);
    return asked(data, tries - 1);
  };
  const keys = (count: number, name: (at: number) => string): string =>
    `{${Array.from({ length: count }, (_, at) => `"${name(at)}":0`).join()}}`;
  expect(await asked(keys(1_000_000, (at) => `k${at}`))).toEqual([refusal(null, -32600)]);
  expect(await asked(`[${"1,".repeat(4_999_999)}1]`)).toEqual([refusal(null, -32600)]);
  expect(await asked(keys(200_000, (at) => `${at * 65_536}`))).toEqual([words(1, "[]")]);
  expect(await asked(keys(200_000, (at) => at.toString(2).padStart(20, "0")))).toEqual([words(1, "[]")]);
  await stillServes(server);
});

describe("RPC-24 a flood of 100,000 requests", () => {
  const MANY = 100_000;

  test("TOOL-28 of calls that answer at once: each is served, in order, or refused for the rate", async () => {
    await using server = await readySample();
    void server.write(Array.from({ length: MANY }, (_, id) => `${JSON.stringify(call(id, "echo", { message: "x" }))}\n`).join(""));
    const served: unknown[] = [];
    const refused: unknown[] = [];
    for (let count = 0; count < MANY; count++) {
      const answer = await server.message();
      expect(answer).toEqual(answer["result"] === undefined ? refusal(answer["id"], 429) : words(answer["id"], "x"));
      (answer["result"] === undefined ? refused : served).push(answer["id"]);
    }
    // A refusal may overtake a call that waits because the answers are not read fast enough.
    for (const ids of [served, refused]) expect(ids).toEqual(ids.toSorted((a, b) => Number(a) - Number(b)));
    expect(new Set([...served, ...refused]).size).toBe(MANY);
    expect(served.length).toBeGreaterThanOrEqual(5000);
    expect(refused.length).toBeGreaterThan(0);
    expect(server.memory()?.peak ?? 0).toBeLessThan(300 * MiB);
    // A second later calls are served again.
    await eventually(async () => (await server.request(call("again", "echo", { message: "x" })))["result"]).toBeDefined();
    await stillServes(server);
  });

  test("of calls that take their time: 64 run, 4,096 wait in order, the rest is refused", async () => {
    await using server = await readySample({ limits: { callsPerSecond: 10 * MANY } });
    void server.write(Array.from({ length: MANY }, (_, id) => `${JSON.stringify(call(id, "busy", { ms: 5 }))}\n`).join(""));
    const refused: unknown[] = [];
    const ran: { id: number; order: number; most: number }[] = [];
    for (let count = 0; count < MANY; count++) {
      const { id, error, result: given } = await server.message();
      if (error !== undefined) {
        expect(error).toMatchObject({ code: 429 });
        refused.push(id);
      } else ran.push({ id: Number(id), ...JSON.parse((given as { content: [{ text: string }] }).content[0].text) });
    }
    expect(new Set([...refused, ...ran.map(({ id }) => id)]).size).toBe(MANY);
    expect(ran.length).toBeGreaterThanOrEqual(64 + 4096);
    expect(Math.max(...ran.map(({ most }) => most))).toBe(64);
    const started = ran.toSorted((a, b) => a.order - b.order).map(({ id }) => id);
    expect(started).toEqual(started.toSorted((a, b) => a - b));
    expect(server.memory()?.peak ?? 0).toBeLessThan(300 * MiB);
    await stillServes(server);
  });

  test("a request that was cancelled in the queue takes no slot", async () => {
    await using server = await readySample({ limits: { concurrency: 2, queue: 10 } });
    expect(await answersTo(server, [call("a", "slow"), call("b", "hang")])).toEqual([]);
    for (let round = 0; round < 5; round++) {
      const waiting = Array.from({ length: 10 }, (_, at) => call(at, "echo", { message: "x" }));
      expect(await answersTo(server, waiting)).toEqual([]);
      expect(await answersTo(server, [call("over", "echo", { message: "x" })])).toEqual([refusal("over", 429)]);
      expect(
        await answersTo(
          server,
          waiting.map(({ id }) => cancel(id)),
        ),
      ).toEqual([]);
    }
    expect(await answersTo(server, [call("last", "echo", { message: "x" })])).toEqual([]);
    expect(await answersTo(server, [cancel("a")])).toEqual([words("last", "x")]);
    await stillServes(server);
  });
});
