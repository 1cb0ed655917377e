// The rules of the harness must notice each violation.
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { StressHarness } from "../src/stress-harness.ts";

/** A server that echoes its params, or answers twice, or never. */
const SERVER = `
  const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
  require("node:readline").createInterface(process.stdin).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined || method === "silent") return;
    send({ id, result: { content: [{ type: "text", text: JSON.stringify(params) }] } });
    if (method === "twice") send({ id, result: {} });
  });`;

class Harness extends StressHarness {
  async start(): Promise<this> {
    await this.launch({ command: process.execPath, args: ["-e", SERVER] });
    return this;
  }

  check(): void {
    this.expectSecretKept();
    this.expectNothingExecuted();
    this.expectAnsweredOnce();
  }
}

const start = (): Promise<Harness> => new Harness({ deadlineMs: 10_000 }).start();

describe("the rules", () => {
  test("hold for a correct server", async () => {
    await using harness = await start();
    expect(await harness.reply("echo", { a: 1 })).toEqual({ text: '{"name":"echo","arguments":{"a":1}}', failed: false, structured: {} });
    harness.check();
  });

  test.each(["utf8", "base64"] as const)("notice a disclosed secret in %s (a)", async (encoding) => {
    await using harness = await start();
    await harness.call("echo", { text: Buffer.from(harness.secret).toString(encoding) });
    expect(() => harness.check()).toThrow("(a)");
  });

  test("notice an executed program (c)", async () => {
    await using harness = await start();
    writeFileSync(harness.executionMark, "");
    expect(() => harness.check()).toThrow("(c)");
  });

  test("notice a second response (f)", async () => {
    await using harness = await start();
    await harness.request("twice", {});
    await harness.request("once", {});
    expect(() => harness.check()).toThrow("(f)");
  });

  test("notice a missing response (f), which is an error at the deadline", async () => {
    await using harness = await start();
    await expect(harness.request("silent", {}, 50)).rejects.toThrow("No response to silent {} within 50 ms");
    expect(() => harness.check()).toThrow("(f)");
  });
});
