// What a long line costs of memory.
import { expect, test } from "vitest";
import { LineReader } from "../../src/wire/ndjson.ts";

test("RPC-13 keeps memory near the line's own length, however small the chunks", () => {
  const limit = 4 * 1024 * 1024;
  const reader = new LineReader({ line: () => undefined, fault: () => undefined }, limit);
  const byte = Uint8Array.of(120);
  const used = (): number => process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
  const before = used();
  for (let at = 0; at < limit; at++) reader.push(byte);
  expect(used() - before).toBeLessThan(10 * limit);
  reader.end();
});
