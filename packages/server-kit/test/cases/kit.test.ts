// Handlers that hang, return nonsense or are aborted by the thousand, and clients that share a process (security cases KIT-10 … KIT-14).
import { getEventListeners, setMaxListeners } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defineServer, linkMemory, tool } from "../../src/index.ts";
import { HUGE, KINDS_OF_NONSENSE, KINDS_OF_THROWS } from "../fixtures/sample-faults.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { abortHalf } from "../support/aborted-calls.ts";
import type { LineServer } from "../support/line-server.ts";
import { answersTo, call, eventually, readySample, request, stillServes, words } from "../support/sample.ts";
import { ABLE, talk } from "../support/talk.ts";

const failed = (id: unknown): object => ({
  jsonrpc: "2.0",
  id,
  result: { content: [{ type: "text", text: expect.any(String) }], isError: true },
});

describe("KIT-11 two clients in one process", () => {
  test("serves one client per server object: a second connection throws until the first has ended", async () => {
    const server = sampleServer();
    const wire = linkMemory(server);
    expect(() => linkMemory(server)).toThrow("served already");
    await wire.close();
    await linkMemory(server).close();
  });

  test("LOG-16 SUB-02 keeps levels, subscriptions, progress and client requests of each apart", async () => {
    const answers = { "elicitation/create": () => ({ action: "decline" }), "roots/list": () => ({ roots: [{ uri: "file:///a" }] }) };
    await using a = await talk(sampleServer(), { capabilities: ABLE, answers });
    await using b = await talk(sampleServer(), { capabilities: ABLE });
    await a.result("logging/setLevel", { level: "debug" });
    await a.result("resources/subscribe", { uri: "sample://text" });
    await a.replyText("touch", { uri: "sample://text" });
    await a.replyText("progress", {}, { progressToken: 1 });
    await a.replyText("log", { data: "x" });
    await a.replyText("ask");
    await a.replyText("roots");
    await b.replyText("touch", { uri: "sample://text" });
    await b.replyText("log", { data: "x" });
    expect(a.received.filter(({ method }) => method !== undefined).length).toBeGreaterThan(8);
    expect(b.received.filter(({ method }) => method !== undefined).map(({ params }) => (params as { level: string }).level)).toEqual([
      "info",
      "notice",
      "warning",
      "error",
    ]);
  });
});

describe("KIT-12 1,000 calls, half of them aborted", () => {
  test.each(["slow", "ask"])("%s: leaves no listener, timer or slot, and causes no warning", (name) => abortHalf(name, 1000));

  test("leaves no listener on a call's signal after a hundred client requests", async () => {
    let signal: AbortSignal | undefined;
    const server = defineServer({
      name: "asks",
      version: "1",
      tools: [
        tool({
          name: "often",
          async run(_input, ctx) {
            signal = ctx.signal;
            setMaxListeners(1, signal);
            for (let at = 0; at < 100; at++) await ctx.elicitUrl({ message: "Look", url: "https://sample.example/" });
            return "done";
          },
        }),
      ],
    });
    await using client = await talk(server, { capabilities: ABLE, answers: { "elicitation/create": () => ({ action: "accept" }) } });
    expect(await client.replyText("often")).toBe("done");
    expect(signal && getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("KIT-13 LIFE-18 a handler that never ends", () => {
  test("gets a deadline error, frees its slot, and loses its late result", async () => {
    await using server = await readySample({ limits: { timeoutMs: 200, concurrency: 2 } });
    void server.send(call(1, "hang"));
    void server.send(call(2, "late", { ms: 800 }));
    void server.send(call(3, "echo", { message: "waited for a place" }));
    expect((await server.message()).id).toBeOneOf([1, 2]);
    expect(await server.message()).toEqual(expect.objectContaining({ result: expect.objectContaining({ isError: true }) }));
    expect(await server.message()).toEqual(words(3, "waited for a place"));
    await eventually(() => server.stderr).toContain("late resolved");
    expect(await answersTo(server, [])).toEqual([]);
    await stillServes(server);
  });

  test("learns of the deadline by its signal", async () => {
    await using server = await readySample({ limits: { timeoutMs: 100 } });
    expect(await server.request(call(1, "slow"))).toEqual(failed(1));
    await eventually(() => server.stderr).toContain("slow aborted: AbortError: Timed out after 100 ms");
    await stillServes(server);
  });

  test("differs from one that waits for a person, which pauses the limit", async () => {
    await using server = await readySample({ limits: { timeoutMs: 150 } }, undefined, { elicitation: {} });
    void server.send(call(1, "ask"));
    const { id } = await server.message();
    // Longer than the limit, as others see it too.
    expect(await server.request(call(2, "hang"))).toEqual(failed(2));
    void server.send({ jsonrpc: "2.0", id, result: { action: "decline" } });
    expect(await server.message()).toEqual(words(1, "decline"));
    await stillServes(server);
  });

  test("is a protocol error outside of tools", async () => {
    const server = sampleServer({ limits: { timeoutMs: 100, clientRequestMs: 100 } });
    await using client = await talk(server, { capabilities: ABLE });
    // The client never answers: waiting for it is bounded by a limit of its own.
    expect(await client.error("resources/read", { uri: "sample://asks" })).toMatchObject({ code: -32603 });
    expect(await client.error("prompts/get", { name: "asks" })).toMatchObject({ code: -32603 });
  });
});

describe("KIT-14 answers a bad result with one error and serves the next call", () => {
  let server: LineServer;
  beforeAll(async () => {
    server = await readySample();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test.each(KINDS_OF_NONSENSE.filter((what) => what !== "thenable" && !HUGE.includes(what)))("%s", async (what) => {
    for (const async of [false, true]) {
      const answer = await server.request(call(1, "nonsense", { what, async }));
      if (answer["error"] === undefined) expect(answer["result"]).toMatchObject({ isError: true });
      expect(JSON.stringify(answer).length).toBeLessThan(1000);
      expect(JSON.stringify(answer)).not.toMatch(/at .*\.ts|angry/);
    }
    await stillServes(server);
  });

  test("TOOL-22 a value that its output schema refuses", async () => {
    expect(await server.request(call(1, "mismatch"))).toEqual(failed(1));
    await stillServes(server);
  });

  test("accepts any thenable as a promise", async () => {
    expect(await server.request(call(1, "nonsense", { what: "thenable" }))).toEqual(words(1, "from a thenable"));
    expect(await server.request(call(1, "nonsense", { what: "thenable", async: true }))).toEqual(words(1, "from a thenable"));
    await stillServes(server);
  });

  test("explains how to continue after a result over the size limit", async () => {
    await using server = await readySample({ limits: { resultBytes: 10_000 } });
    expect(await server.request(call(1, "big", { bytes: 9000 }))).toEqual(words(1, "x".repeat(9000)));
    const answer = await server.request(call(2, "big", { bytes: 10_000 }));
    expect(answer).toEqual(failed(2));
    expect(JSON.stringify(answer)).toContain("ask for less");
    await stillServes(server);
  });

  test("TOOL-10 turns an exception of a tool into a result, with unexpected details on stderr only", async () => {
    for (const what of KINDS_OF_THROWS) {
      for (const async of [false, true]) {
        const { id, result, error } = await server.request(call(1, "throws", { what, async }));
        const replyText = {
          mcp: { code: -32001, message: "A code of its own", data: { some: "data" } },
          unsayable: { code: -32001, message: "Data that JSON cannot hold" },
          codeless: { code: -32603, message: "No code" },
        }[what];
        if (replyText !== undefined) expect.soft(error, what).toEqual(replyText);
        else {
          const text =
            { tool: "Repair it like this.", exposed: "An exposed message." }[what] ??
            expect.stringMatching(/^Internal error \(ref [0-9a-f]{4}\)$/);
          expect.soft({ id, result }, what).toEqual({ id: 1, result: { content: [{ type: "text", text }], isError: true } });
        }
      }
    }
    expect(server.stderr).toContain("Error: secret detail");
    expect(server.stderr).toContain("secret string");
    await stillServes(server);
  });

  test("RES-10 PROMPT-06 COMP-05 answers an exception outside of tools with -32603, without details", async () => {
    const requests = [
      request(1, "resources/read", { uri: "sample://fault" }),
      request(2, "prompts/get", { name: "fault" }),
      request(3, "completion/complete", { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "fault", value: "" } }),
    ];
    for (const { id, method, params } of requests) {
      const { error } = await server.request(request(id, method, params));
      expect.soft(error).toEqual({ code: -32603, message: expect.stringMatching(/^Internal error \(ref [0-9a-f]{4}\)$/) });
    }
    await stillServes(server);
  });
});
