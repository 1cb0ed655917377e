// Too long, too deep, too wide, too many (security cases RPC-04, RPC-14 … RPC-16, RPC-24).
import { describe, expect, test } from "vitest";
import { floodQueue, floodRate } from "../support/request-flood.ts";
import {
  STATEFUL,
  answersTo,
  call,
  cancel,
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

test("RPC-14 serves a message at the limit, refuses one byte more, and splits two messages in one chunk", async () => {
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

test("RPC-14 serves 1 MiB by default, and survives 8 MiB of garbage on one line", async () => {
  await using server = await readySample();
  const message = "x".repeat(MiB);
  expect(await answersTo(server, [call(1, "echo", { message }), "x".repeat(8 * MiB)])).toEqual([words(1, message), refusal(null, -32600)]);
  await stillServes(server);
});

test("RPC-15 refuses ten thousand levels, in params and as the whole message", async () => {
  await using server = await readySample();
  const arrays = "[".repeat(10_000) + "]".repeat(10_000);
  const objects = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`;
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
  expect(await answersTo(server, ["[".repeat(10_000), '{"a":'.repeat(10_000)])).toEqual([refusal(null, -32700), refusal(null, -32700)]);
  await stillServes(server);
});

test("RPC-15 serves 128 levels, and refuses 129", async () => {
  await using server = await readySample();
  const nested = (levels: number): string => {
    const data = "[".repeat(levels - 3) + "]".repeat(levels - 3); // inside message, params, arguments
    return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fresh","arguments":{"data":${data}}}}`;
  };
  expect(await answersTo(server, [nested(128), nested(129)])).toEqual([words(1, "[]"), refusal(null, -32600)]);
  await stillServes(server);
});

test("RPC-16 serves as many members as allowed, and refuses one more", async () => {
  await using server = await readySample({ limits: { members: 1000 } });
  const wide = (members: number): string => {
    const data = `{${Array.from({ length: members - 7 }, (_, at) => `"k${at}":0`).join()}}`; // the message, params and arguments have seven
    return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fresh","arguments":{"data":${data}}}}`;
  };
  expect(await answersTo(server, [wide(1000), wide(1001)])).toEqual([words(1, "[]"), refusal(null, -32600)]);
  await stillServes(server);
});

describe("RPC-24 a flood of calls", () => {
  test("TOOL-28 of fast calls: serves each in order or refuses it for the rate", async () => {
    await using server = await readySample({ limits: { callsPerSecond: 100 } });
    await floodRate(server, 2000, 100);
  });

  test("of slow calls: runs 64, queues 4,096 in order, and refuses the rest", async () => {
    await using server = await readySample({ limits: { callsPerSecond: 1e6 } });
    await floodQueue(server, 5000);
  });

  test("gives a request that was cancelled in the queue no slot", async () => {
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
