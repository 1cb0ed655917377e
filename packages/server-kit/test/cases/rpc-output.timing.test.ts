// Readers that are slow: output waits, input pauses, memory stays bounded, and the end comes within the grace time (security case RPC-25).
import { describe, expect, test } from "vitest";
import { call, request, result, stillServes, words } from "../support/sample.ts";
import { idle, lives, readyProcess, sampleProcess } from "../support/sample-process.ts";

const MiB = 1024 * 1024;
const BYTES = 2_000_000;
/** A gigabyte of results is asked for when this is set, else 128 MB, which is more than the server may hold. */
const FULL = process.env["OARLOCK_FULL_CASES"] === "1";

describe("RPC-25 a slow reader", () => {
  test.each([false, true])("pauses input while output waits, and loses nothing (async handlers: %s)", async (async) => {
    const many = FULL ? 500 : 64;
    // With a small heap, so that garbage does not hide what is kept.
    await using server = sampleProcess({ limits: { concurrency: 8 } }, "--max-old-space-size=80");
    await server.handshake();
    await stillServes(server);
    const before = server.memory()?.peak ?? 0;
    server.stopReading();
    for (let id = 0; id < many; id++) void server.send(call(id, "big", { bytes: BYTES, async }));
    // More than all buffers on the way can hold: it is only taken when the server reads on.
    let taken = false;
    const rest = server
      .write(`${JSON.stringify(request("pad", "ping", { pad: "x".repeat(1000) }))}\n`.repeat(4000))
      .then(() => (taken = true));
    await idle(server);
    expect(taken).toBe(false);
    const waiting = server.memory()?.peak ?? 0;
    expect(waiting - before).toBeLessThan(96 * MiB);

    server.resumeReading();
    const came = new Set<unknown>();
    let pads = 0;
    while (came.size < many || pads < 4000) {
      const line = await server.line();
      if (line.length < 1000) {
        expect(JSON.parse(line)).toEqual(result("pad", {}));
        pads++;
        continue;
      }
      const { id } = JSON.parse(`${line.slice(0, line.indexOf(',"result"'))}}`);
      expect(line).toHaveLength(JSON.stringify(words(id, "")).length + BYTES);
      came.add(id);
    }
    await rest;
    expect((server.memory()?.peak ?? 0) - before).toBeLessThan(160 * MiB);
    await stillServes(server);
  });

  test("does not keep the process alive after the end of input and a signal", async () => {
    await using server = await readyProcess({ graceMs: 300 });
    server.stopReading();
    for (let id = 0; id < 20; id++) void server.send(call(id, "big", { bytes: BYTES }));
    await idle(server);
    server.kill("SIGTERM");
    // `exit` would wait for our end of its output, which stays open.
    await expect.poll(() => lives(server.pid), { timeout: 3000 }).toBe(false);
  });
});
