// What goes out: readers that have gone, and prints that do not belong there (security cases RPC-26 and RPC-27).
import { describe, expect, test } from "vitest";
import { WAYS_TO_PRINT } from "../fixtures/sample-faults.ts";
import { answersTo, call, eventually, request, stillServes, words } from "../support/sample.ts";
import { nodeCommand } from "../../../testing/src/process/node-command.ts";
import { startRaw } from "../../../testing/src/process/raw-process.ts";
import { childOf, idle, lives, readyProcess } from "../support/sample-process.ts";

const BYTES = 2_000_000;

describe("RPC-26 a broken pipe", () => {
  test.each([0, 5])("ends the process quietly with code 0, and its children too (%i results in flight)", async (results) => {
    await using server = await readyProcess({ graceMs: 60_000 });
    void server.send(call("child", "child"));
    const pid = await childOf(server);
    server.stopReading();
    for (let id = 0; id < results; id++) void server.send(call(id, "big", { bytes: BYTES }));
    if (results > 0) await idle(server);
    server.closeOutput();
    // The next answer has no reader. Input stays open all the time.
    void server.send(request("next", "ping"));
    void server.send(request("next but one", "ping"));
    await eventually(() => server.stderr).toContain("sample closed");
    void server.send(call("late", "log", { data: "run too late" }));
    expect(await server.exit()).toEqual({ code: 0, signal: null });
    await eventually(() => lives(pid)).toBe(false);
    expect(server.stderr).not.toMatch(/run too late|EPIPE|Unhandled|at .*\.ts:\d+/);
    expect(server.stderr.length).toBeLessThan(2000);
  });
});

describe("RPC-27 STDIO-03 redirects stray output to stderr", () => {
  test.each(WAYS_TO_PRINT)("by %s", async (how) => {
    await using server = await readyProcess();
    void server.send(call(1, "print", { how }));
    expect(await server.message()).toEqual(words(1, "printed"));
    await eventually(() => server.stderr).toContain("stray");
    expect(await answersTo(server, [])).toEqual([]);
    await stillServes(server);
  });
});

test("RPC-27 keeps stdout from the first import on", async () => {
  await using server = startRaw(nodeCommand(new URL("../fixtures/prints-first.ts", import.meta.url)));
  expect(await server.handshake()).toHaveProperty("result");
  expect(server.stderr).toContain("stray child");
  expect(server.unread).toEqual([]);
});
