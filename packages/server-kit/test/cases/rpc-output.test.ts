// What goes out: readers that are slow or gone, and prints that do not belong there (security cases RPC-25 … RPC-27).
import { describe, expect, test } from "vitest";
import { WAYS_TO_PRINT } from "../fixtures/sample-faults.ts";
import {
  answersTo,
  call,
  eventually,
  idle,
  lives,
  rawSample,
  readySample,
  request,
  result,
  stillServes,
  words,
} from "../support/sample.ts";

const MiB = 1024 * 1024;
const BYTES = 2_000_000;
/** A gigabyte of results is asked for when this is set, else 128 MB, which is more than the server may hold. */
const FULL = process.env["OARLOCK_FULL_CASES"] === "1";

describe("RPC-25 a slow reader", () => {
  test.each([false, true])("makes output wait, input pause, and loses nothing (async handlers: %s)", async (async) => {
    const many = FULL ? 500 : 64;
    // With a small heap, so that garbage does not hide what is kept.
    await using server = rawSample({ limits: { concurrency: 8 } }, "--max-old-space-size=80");
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

  test("does not keep the process alive: the end of input, then a signal, end it within the grace time", async () => {
    await using server = await readySample({ graceMs: 300 });
    server.stopReading();
    for (let id = 0; id < 20; id++) void server.send(call(id, "big", { bytes: BYTES }));
    await idle(server);
    server.kill("SIGTERM");
    // `exit` would wait for our end of its output, which stays open.
    await expect.poll(() => lives(server.pid), { timeout: 3000 }).toBe(false);
  });
});

describe("RPC-26 a broken pipe", () => {
  test.each([0, 5])("ends the process quietly, with code 0, and its children too (%i results under way)", async (results) => {
    await using server = await readySample({ graceMs: 60_000 });
    void server.send(call("child", "child"));
    await eventually(() => server.stderr).toMatch(/child \d+/);
    const pid = Number(/child (\d+)/.exec(server.stderr)?.[1]);
    server.stopReading();
    for (let id = 0; id < results; id++) void server.send(call(id, "big", { bytes: BYTES }));
    if (results > 0) await idle(server);
    server.closeOutput();
    // The next answer has no reader. Input stays open all the time.
    void server.send(request("next", "ping"));
    void server.send(request("next but one", "ping"));
    await eventually(() => server.stderr).toContain("sample closed");
    void server.send(call("late", "log", { data: "run too late" }));
    expect(await server.exit(3000)).toEqual({ code: 0, signal: null });
    await eventually(() => lives(pid)).toBe(false);
    expect(server.stderr).not.toMatch(/run too late|EPIPE|Unhandled|at .*\.ts:\d+/);
    expect(server.stderr.length).toBeLessThan(2000);
  });
});

describe("RPC-27 STDIO-03 stray printing goes to stderr", () => {
  test.each(WAYS_TO_PRINT)("by %s", async (how) => {
    await using server = await readySample();
    void server.send(call(1, "print", { how }));
    expect(await server.message()).toEqual(words(1, "printed"));
    await eventually(() => server.stderr).toContain("stray");
    expect(await answersTo(server, [])).toEqual([]);
    await stillServes(server);
  });
});
