// Floods that may cost neither memory nor time: stray responses, an endless line, odd keys, requests (security cases RPC-11, RPC-13, RPC-16, RPC-24).
import { describe, expect, test } from "vitest";
import { floodQueue, floodRate } from "../support/request-flood.ts";
import { answersTo, refusal, stillServes, words } from "../support/sample.ts";
import { readyProcess } from "../support/sample-process.ts";

const MiB = 1024 * 1024;

test("RPC-11 ignores 100,000 stray responses and leaves nothing behind", async () => {
  await using server = await readyProcess();
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

test("RPC-13 reports an endless line at the limit in constant memory, and reads the next line", async () => {
  await using server = await readyProcess();
  const part = Buffer.alloc(MiB, "x");
  const pour = async (count: number): Promise<void> => {
    for (let sent = 0; sent < count; sent++) await server.write(part);
  };
  await server.write(`{"jsonrpc":"2.0","id":1,"method":"`);
  await pour(5);
  // The error does not wait for the end of the line.
  expect(await server.message()).toEqual(refusal(null, -32600));
  // Buffers of a first part lie about until they are collected; from then on nothing may grow.
  await pour(59);
  const before = server.memory()?.peak ?? 0;
  await pour(256);
  await server.write("\n");
  await stillServes(server);
  expect((server.memory()?.peak ?? 0) - before).toBeLessThan(128 * MiB);
});

test("RPC-16 refuses or serves a million keys, five million numbers and colliding keys within the deadline", async () => {
  await using server = await readyProcess({ limits: { messageBytes: 32 * MiB } });
  const asked = async (data: string): Promise<unknown> => {
    const started = performance.now();
    const answers = await answersTo(server, [
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fresh","arguments":{"data":${data}}}}`,
    ]);
    expect(performance.now() - started).toBeLessThan(5000);
    return answers;
  };
  const keys = (count: number, name: (at: number) => string): string =>
    `{${Array.from({ length: count }, (_, at) => `"${name(at)}":0`).join()}}`;
  expect(await asked(keys(1_000_000, (at) => `k${at}`))).toEqual([refusal(null, -32600)]);
  expect(await asked(`[${"1,".repeat(4_999_999)}1]`)).toEqual([refusal(null, -32600)]);
  expect(await asked(keys(200_000, (at) => `${at * 65_536}`))).toEqual([words(1, "[]")]);
  expect(await asked(keys(200_000, (at) => at.toString(2).padStart(20, "0")))).toEqual([words(1, "[]")]);
  await stillServes(server);
});

describe("RPC-24 a flood of 100,000 requests takes less than 300 MiB", () => {
  const MANY = 100_000;

  test("TOOL-28 of fast calls", async () => {
    await using server = await readyProcess();
    await floodRate(server, MANY, 5000);
    expect(server.memory()?.peak ?? 0).toBeLessThan(300 * MiB);
  });

  test("of slow calls", async () => {
    await using server = await readyProcess({ limits: { callsPerSecond: 10 * MANY } });
    await floodQueue(server, MANY);
    expect(server.memory()?.peak ?? 0).toBeLessThan(300 * MiB);
  });
});
