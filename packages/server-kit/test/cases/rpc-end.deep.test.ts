// How a session ends: end of input and signals (security cases RPC-19, RPC-20, RPC-28).
import { describe, expect, test } from "vitest";
import { call, eventually, refusal, request, result, words } from "../support/sample.ts";
import { childOf, lives, readyProcess, sampleProcess } from "../support/sample-process.ts";

const CLEAN = { code: 0, signal: null };

test("RPC-19 runs a last line without newline once", async () => {
  await using server = await readyProcess();
  await server.write(JSON.stringify(call(1, "echo", { message: "no newline" })));
  server.end();
  expect(await server.message()).toEqual(words(1, "no newline"));
  await expect(server.line()).rejects.toThrow("closed its output");
  expect(await server.exit()).toEqual(CLEAN);
});

test("RPC-19 answers half a line at the end as an invalid message", async () => {
  await using server = await readyProcess();
  await server.write('{"jsonrpc":"2.0","id":1,"met');
  server.end();
  expect(await server.message()).toEqual(refusal(null, -32700));
  expect(await server.exit()).toEqual(CLEAN);
});

test.each(["before the handshake", "after the handshake"])("STDIO-11 ends the process at the end of input, %s", async (when) => {
  await using server = when === "before the handshake" ? sampleProcess() : await readyProcess();
  server.end();
  expect(await server.exit()).toEqual(CLEAN);
  expect(server.unread).toEqual([]);
  expect(server.stderr).toContain("ended");
});

describe("RPC-20 the end of input with requests in flight", () => {
  test("completes it within the grace time, with a response", async () => {
    await using server = await readyProcess({ graceMs: 20_000 });
    void server.send(call(1, "slow", { ms: 200 }));
    void server.send(call(2, "slow", { ms: 100 }));
    server.end();
    expect(await server.message()).toEqual(words(2, "slow waited"));
    expect(await server.message()).toEqual(words(1, "slow waited"));
    expect(await server.exit()).toEqual(CLEAN);
    expect(server.stderr).not.toContain("aborted");
  });

  test("runs queued requests too", async () => {
    await using server = await readyProcess({ limits: { concurrency: 1 } });
    for (let id = 0; id < 5; id++) void server.send(call(id, "slow", { ms: 20 }));
    server.end();
    for (let id = 0; id < 5; id++) expect(await server.message()).toEqual(words(id, "slow waited"));
    expect(await server.exit()).toEqual(CLEAN);
  });

  test("aborts it after the grace time, and leaves no child", async () => {
    await using server = await readyProcess({ graceMs: 300 });
    for (const [id, name] of ["slow", "child", "hang"].entries()) void server.send(call(id, name));
    const pid = await childOf(server);
    server.end();
    expect(await server.exit()).toEqual(CLEAN); // `hang` never ends by itself
    expect(server.stderr).toContain("slow aborted: AbortError");
    expect(lives(pid)).toBe(false);
    expect(server.unread).toEqual([]);
  });

  test("aborts a call after less than the 4 seconds that official clients wait, by default", async () => {
    await using server = await readyProcess();
    void server.send(call(1, "slow", { ms: 2000 }));
    server.end();
    expect(await server.exit()).toEqual(CLEAN);
    expect(server.stderr).toContain("slow aborted: AbortError");
    expect(server.unread).toEqual([]);
  });

  test("aborts a call at once on a signal that follows", async () => {
    await using server = await readyProcess({ graceMs: 60_000 });
    void server.send(call(1, "slow"));
    await server.write(JSON.stringify(request(2, "ping"))); // without its newline it is answered at the end of input
    server.end();
    expect(await server.message()).toEqual(result(2, {}));
    server.kill("SIGTERM");
    expect(await server.exit()).toEqual(CLEAN);
    expect(server.stderr).toContain("slow aborted: AbortError");
  });

  test("aborts a request to the client, which can no longer respond", async () => {
    await using server = await readyProcess({ graceMs: 60_000 }, undefined, { elicitation: {} });
    void server.send(call(1, "ask"));
    expect(await server.message()).toMatchObject({ method: "elicitation/create" });
    server.end();
    expect(await server.exit()).toEqual(CLEAN); // long before the grace time
  });
});

describe.each(["SIGTERM", "SIGINT"] as const)("RPC-28 %s", (signal) => {
  test("ends an idle process", async () => {
    await using server = await readyProcess({ graceMs: 60_000 });
    server.kill(signal);
    expect(await server.exit()).toEqual(CLEAN); // long before the grace time
    expect(server.stderr).toContain("sample closed");
    expect(server.stderr).toContain("ended");
  });

  test("lets requests in flight finish within the grace time", async () => {
    await using server = await readyProcess();
    void server.send(call(1, "slow", { ms: 300 }));
    void server.send(request(2, "ping"));
    expect(await server.message()).toEqual(result(2, {}));
    server.kill(signal);
    expect(await server.message()).toEqual(words(1, "slow waited"));
    expect(await server.exit()).toEqual(CLEAN);
  });

  test("aborts them after the grace time, and leaves no child", async () => {
    await using server = await readyProcess({ graceMs: 300 });
    // The default grace time would let it finish.
    void server.send(call(0, "slow", { ms: 4500 }));
    for (const [id, name] of ["child", "hang"].entries()) void server.send(call(id + 1, name));
    const pid = await childOf(server);
    server.kill(signal);
    expect(await server.exit()).toEqual(CLEAN);
    expect(server.stderr).toContain("slow aborted: AbortError");
    expect(lives(pid)).toBe(false);
  });

  test("ends at once on a second signal", async () => {
    await using server = await readyProcess({ graceMs: 60_000 });
    void server.send(call(1, "slow"));
    void server.send(request(2, "ping"));
    expect(await server.message()).toEqual(result(2, {}));
    server.kill(signal);
    // The first one has been taken when nothing new is.
    await eventually(async () => (await server.send(request("x", "ping")), server.kill(signal), lives(server.pid))).toBe(false);
    expect(await server.exit()).toEqual({ code: 1, signal: null });
  });
});
