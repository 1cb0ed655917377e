/** How a server's process ends, and what does not end it. */
import { describe, expect, test } from "vitest";
import { look, run, Sample } from "./sample.ts";

const QUICK = 5000;

async function waiting(ms: number, args: readonly string[] = []): Promise<Sample> {
  const sample = await new Sample(["--log-level", "info", ...args]).handshake();
  sample.send("tools/call", { name: "wait", arguments: { ms } });
  await sample.until("stderr", /Warning: waiting/);
  return sample;
}

describe("a calm end, exit 0", () => {
  test("end of input, with work in hand finished first (R6, RPC-20)", async () => {
    const sample = await waiting(100);
    const { code, stdout, stderr } = await sample.end();
    expect(code).toBe(0);
    expect(stdout).toContain('"text":"waited"');
    expect(stderr).toMatch(/closing\n$/);
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s, with work in hand finished first (RPC-28, R6)", async (signal) => {
    const sample = await waiting(100);
    sample.child.kill(signal);
    const { code, stdout, stderr } = await sample.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('"text":"waited"');
    expect(stderr).toContain(`Info: ${signal}: stopping\nclosing\n`);
  });

  test.each([
    ["SIGHUP", "SIGHUP"],
    ["SIGTERM", "SIGHUP"],
  ] as const)("%s and, from a shell or service manager, %s behind it (RPC-28, R6)", async (first, second) => {
    const sample = await waiting(300);
    sample.child.kill(first);
    await sample.until("stderr", /stopping/);
    sample.child.kill(second);
    const { code, stdout, stderr } = await sample.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('"text":"waited"');
    expect(stderr.match(/stopping/g)).toHaveLength(1);
  });

  test("work that does not end is undone within the grace time (RPC-28, R6)", async () => {
    const sample = await waiting(60_000);
    const from = performance.now();
    sample.child.kill("SIGTERM");
    const { code, stdout } = await sample.ended;
    expect(performance.now() - from).toBeLessThan(QUICK);
    expect(code).toBe(0);
    expect(stdout).not.toContain("waited");
  });

  test("a signal before the server is made", async () => {
    const sample = new Sample(["--start-with", "pause"]);
    await sample.until("stderr", /printed while starting/);
    sample.child.kill("SIGTERM");
    expect(await sample.ended).toEqual({ code: 0, stdout: "", stderr: "printed while starting\n" });
  });

  test("the reader of stdout is gone: no word, no error (RPC-26)", async () => {
    const sample = await new Sample([]).handshake();
    sample.child.stdout.destroy();
    sample.send("tools/call", { name: "big" });
    const { code, stderr } = await sample.ended;
    expect(code).toBe(0);
    expect(stderr).toBe("printed while starting\nsample 1.2.3 is ready on stdio\nclosing\n");
  });

  test("the reader of stderr is gone: serving goes on", async () => {
    const sample = await new Sample([]).handshake();
    sample.child.stderr.destroy();
    for (let at = 0; at < 3; at++) await sample.ask("tools/call", { name: "wait", arguments: { ms: 1 } });
    expect((await sample.end()).code).toBe(0);
  });
});

describe("an end by force, exit 1", () => {
  test("a second signal ends at once (RPC-28)", async () => {
    const sample = await waiting(60_000);
    sample.child.kill("SIGTERM");
    await sample.until("stderr", /SIGTERM: stopping/);
    sample.child.kill("SIGINT");
    const { code, stderr } = await sample.ended;
    expect(code).toBe(1);
    expect(stderr).not.toContain("closing");
  });

  test("a server that does not close (R6)", async () => {
    const { code, stderr } = await run(["--start-with", "hang"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/closing\nCritical: did not stop within 1200 ms: ended by force\n$/);
  });

  test("an exception that nobody caught: one line says which", async () => {
    const sample = await new Sample([]).handshake();
    sample.send("tools/call", { name: "throw_later" });
    const { code, stderr } = await sample.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/stdio\nCritical: unexpected fault, the server ends: Error: out of the blue \(at .*server\.ts.*\)\n$/);
  });

  test("a start that fails for a reason nobody foresaw", async () => {
    const { code, stdout, stderr } = await run(["--start-with", "bug"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^printed while starting\nError: sample failed: TypeError: a bug \(at .*\)\n$/);
  });
});

test("a start that fails says why in its first line, and after it what was told before", async () => {
  const { code, stderr } = await run(["--start-with", "warning", "a", "--tools", "chnage"]);
  const [first, second] = stderr.replace("printed while starting\n", "").split("\n");
  expect({ code, first, second }).toEqual({
    code: 2,
    first: 'Error: Unknown tool "chnage" in --tools: did you mean change?',
    second: 'Warning: {"skipped":["a"]}',
  });
});

test("a start that is refused: its sentence and its code", async () => {
  expect(await run(["--start-with", "refusal"])).toEqual({
    code: 3,
    stdout: "",
    stderr: "printed while starting\nError: nothing to serve here: give a folder that exists\n",
  });
});

test("a rejection that nobody handled is logged, and serving goes on", async () => {
  await look([], async (sample) => {
    await sample.ask("tools/call", { name: "reject_unseen" });
    await sample.until("stderr", /Error: Error: nobody looked/);
    expect(await sample.tools()).toContain("wait");
  });
});

describe("on a terminal", () => {
  const terminal = (which: string): string => `data:text/javascript,for (const s of ${which}) process[s].isTTY = true`;

  test("a hint for people goes to stderr, and serving goes on", async () => {
    const hint = { node: ["--import", terminal('["stdin","stdout"]')] };
    await look(
      [],
      async (sample) => {
        expect(sample.stderr).toMatch(/--print-config claude-desktop/);
        expect(await sample.tools()).toContain("wait");
      },
      hint,
    );
  });

  test("none when only one end is a terminal", async () => {
    const { stderr } = await run([], { node: ["--import", terminal('["stdin"]')] });
    expect(stderr).not.toContain("--print-config");
  });
});

test.each([{}, { OARLOCK_AUTH_TOKEN: "a-secret-for-http" }])(
  "AUTH-01 over stdio nobody is asked for a token: environment %j",
  async (env) => {
    const server = new Sample([], { env: env as Record<string, string> });
    server.send("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } });
    server.send("tools/list");
    await server.until("stdout", /"tools":\[/);
    const { code, stdout, stderr } = await server.end();
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain("a-secret-for-http");
  },
);
