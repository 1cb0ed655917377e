/** Tests how a server's process ends, and what does not end it. */
import { describe, expect, test } from "vitest";
import { look, run, Sample } from "./sample-server.ts";

/** The default grace time is two seconds. */
const MAX_DEFAULT_GRACE_MS = 4000;

/** The shortest of three durations, which a pause of the machine does not change; ends early below `enoughMs`. */
async function shortest(enoughMs: number, run: () => Promise<number>): Promise<number> {
  let best = Infinity;
  for (let attempt = 0; attempt < 3 && best >= enoughMs; attempt++) best = Math.min(best, await run());
  return best;
}

async function waiting(ms: number, args: readonly string[] = []): Promise<Sample> {
  const sample = await new Sample(["--log-level", "info", ...args]).handshake();
  sample.send("tools/call", { name: "wait", arguments: { ms } });
  await sample.until("stderr", /Warning: waiting/);
  return sample;
}

test.skipIf(process.platform === "win32")("SIGUSR2 turns debug entries on, and off again", async () => {
  const sample = await new Sample([]).handshake();
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const call = () => sample.request("tools/call", { name: "change", _meta: { traceparent } });
  await call();
  sample.child.kill("SIGUSR2");
  await sample.until("stderr", /SIGUSR2: log level debug/);
  await call();
  sample.child.kill("SIGUSR2");
  await sample.until("stderr", /SIGUSR2: log level notice/);
  await call();
  const { stderr } = await sample.end();
  expect(stderr.match(/^Debug: tools\/call change, request 3 trace_id=0af7651916cd43dd8448eb211c80319c$/gm)).toHaveLength(1);
  expect(stderr.match(/^Debug: tools\/call/gm)).toHaveLength(1);
});

describe("exits with 0", () => {
  test("at the end of stdin, after requests in flight (R6, RPC-20)", async () => {
    const sample = await waiting(100);
    const { code, stdout, stderr } = await sample.end();
    expect(code).toBe(0);
    expect(stdout).toContain('"text":"waited"');
    expect(stderr).toMatch(/closing\n$/);
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("on %s, after requests in flight (RPC-28, R6)", async (signal) => {
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
  ] as const)("on %s with %s from a shell or service manager right after it (RPC-28, R6)", async (first, second) => {
    const sample = await waiting(300);
    sample.child.kill(first);
    await sample.until("stderr", /stopping/);
    sample.child.kill(second);
    const { code, stdout, stderr } = await sample.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('"text":"waited"');
    expect(stderr.match(/stopping/g)).toHaveLength(1);
  });

  test.each(["SIGTERM", "SIGINT"] as const)("on %s that a wrapper forwards once more", async (signal) => {
    // Two signals at once may reach the process as one, so the echo follows the reaction to the first. A pause of the machine can make it
    // late, which counts as a second signal, or miss the process.
    const echo = async () => {
      const sample = await waiting(300);
      sample.child.kill(signal);
      await sample.until("stderr", /stopping/);
      const isDelivered = sample.child.kill(signal);
      return { isDelivered, ...(await sample.ended) };
    };
    let last = await echo();
    for (let attempt = 1; attempt < 5 && (!last.isDelivered || last.code !== 0); attempt++) last = await echo();
    const { isDelivered, code, stdout, stderr } = last;
    expect({ isDelivered, code }).toEqual({ isDelivered: true, code: 0 });
    expect(stdout).toContain('"text":"waited"');
    expect(stderr.match(/stopping/g)).toHaveLength(1);
  });

  test("when requests in flight outlast the grace time (RPC-28, R6)", async () => {
    const sample = await waiting(60_000);
    sample.child.kill("SIGTERM");
    const { code, stdout } = await sample.ended;
    expect(code).toBe(0);
    expect(stdout).not.toContain("waited");
  });

  test("soon after the end of stdin, with the default grace time", async () => {
    const graceMs = await shortest(MAX_DEFAULT_GRACE_MS, async () => {
      const sample = await waiting(60_000, ["--start-with", "default-grace"]);
      const start = performance.now();
      const { code, stdout } = await sample.end();
      expect(code).toBe(0);
      expect(stdout).not.toContain("waited");
      return performance.now() - start;
    });
    expect(graceMs).toBeLessThan(MAX_DEFAULT_GRACE_MS);
  });

  test("immediately on SIGTERM after the end of stdin", async () => {
    const sample = await waiting(60_000, ["--start-with", "long-grace"]);
    sample.child.stdin.end();
    await sample.until("stderr", /input ended/);
    sample.child.kill("SIGTERM");
    const { code, stderr } = await sample.ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/SIGTERM: stopping\nclosing\n$/);
  });

  test("on a signal before the server is created", async () => {
    const sample = new Sample(["--start-with", "pause"]);
    await sample.until("stderr", /printed while starting/);
    sample.child.kill("SIGTERM");
    expect(await sample.ended).toEqual({ code: 0, stdout: "", stderr: "printed while starting\n" });
  });

  test("when the reader of stdout closes its end, without an error (RPC-26)", async () => {
    const sample = await new Sample([]).handshake();
    sample.child.stdout.destroy();
    sample.send("tools/call", { name: "big" });
    const { code, stderr } = await sample.ended;
    expect(code).toBe(0);
    expect(stderr).toBe("printed while starting\nsample 1.2.3 is ready on stdio\nclosing\n");
  });

  test("and keeps serving when the reader of stderr closes its end", async () => {
    const sample = await new Sample([]).handshake();
    sample.child.stderr.destroy();
    for (let at = 0; at < 3; at++) await sample.request("tools/call", { name: "wait", arguments: { ms: 1 } });
    expect((await sample.end()).code).toBe(0);
  });
});

describe("exits with 1", () => {
  test("at once on a second signal (RPC-28)", async () => {
    const sample = await waiting(60_000);
    sample.child.kill("SIGTERM");
    await sample.until("stderr", /SIGTERM: stopping/);
    sample.child.kill("SIGINT");
    const { code, stderr } = await sample.ended;
    expect(code).toBe(1);
    expect(stderr).not.toContain("closing");
  });

  test.each(["SIGTERM", "SIGHUP"] as const)("immediately on SIGTERM some time after %s", async (first) => {
    const sample = await waiting(60_000, ["--start-with", "long-grace"]);
    sample.child.kill(first);
    await sample.until("stderr", /stopping/);
    const repeated = setInterval(() => sample.child.kill("SIGTERM"), 50);
    const { code, stderr } = await sample.ended.finally(() => clearInterval(repeated));
    expect(code).toBe(1);
    expect(stderr).not.toContain("closing");
  });

  test("when the server does not close (R6)", async () => {
    const { code, stderr } = await run(["--start-with", "hang"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/closing\nCritical: The server did not stop within 1200 ms: exiting now\.\n$/);
  });

  test("on an uncaught exception, with one line on stderr", async () => {
    const sample = await new Sample([]).handshake();
    sample.send("tools/call", { name: "throw_later" });
    const { code, stderr } = await sample.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/stdio\nCritical: Uncaught exception, the server exits: Error: out of the blue \(at .*server\.ts.*\)\n$/);
  });

  test("when the start fails unexpectedly", async () => {
    const { code, stdout, stderr } = await run(["--start-with", "bug"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^printed while starting\nError: sample failed to start: TypeError: a bug \(at .*\)\n$/);
  });

  test("when the kit refuses the definition, with the place in the author's code", async () => {
    const { code, stderr } = await run(["--start-with", "duplicate"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /TypeError: Duplicate name "twice" among the tools\. Rename one of them, or enter it once\. \(at [^ ]+ \(.*fixtures\/server\.ts:\d+:\d+\)\)\n$/,
    );
  });
});

test("a failed start writes its reason first, then the buffered log", async () => {
  const { code, stderr } = await run(["--start-with", "warning", "a", "--tools", "chnage"]);
  const [first, second] = stderr.replace("printed while starting\n", "").split("\n");
  expect({ code, first, second }).toEqual({
    code: 2,
    first: 'Error: Unknown tool "chnage" in --tools: did you mean change?',
    second: 'Warning: {"skipped":["a"]}',
  });
});

test("a failed start writes its reason before a warning about its tools", async () => {
  const { code, stderr } = await run(["--read-only", "--tools=change", "--http", "--port=0", "--allowed-hosts=https://a.example"]);
  const [first, second] = stderr.replace("printed while starting\n", "").split("\n");
  expect({ code, first, second }).toEqual({
    code: 2,
    first: expect.stringContaining('Error: Invalid host "https://a.example"'),
    second: expect.stringContaining("Warning: No tools are enabled"),
  });
});

test("a StartError sets the sentence and the exit code", async () => {
  expect(await run(["--start-with", "refusal"])).toEqual({
    code: 3,
    stdout: "",
    stderr: "printed while starting\nError: Nothing to serve: the folder does not exist. Give another one.\n",
  });
});

test("an unhandled rejection is logged, and the server keeps serving", async () => {
  await look([], async (sample) => {
    await sample.request("tools/call", { name: "reject_unseen" });
    await sample.until("stderr", /Error: Error: rejected on purpose/);
    expect(await sample.tools()).toContain("wait");
  });
});

describe("on a terminal", () => {
  const terminal = (which: string): string => `data:text/javascript,for (const s of ${which}) process[s].isTTY = true`;

  test("writes a hint to stderr, and serves", async () => {
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

  test("writes no hint when only stdin is a terminal", async () => {
    const { stderr } = await run([], { node: ["--import", terminal('["stdin"]')] });
    expect(stderr).not.toContain("--print-config");
  });
});

test.each([{}, { OARLOCK_AUTH_TOKEN: "a-secret-for-http" }])("AUTH-01 stdio needs no token: environment %j", async (env) => {
  const server = new Sample([], { env: env as Record<string, string> });
  server.send("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } });
  server.send("tools/list");
  await server.until("stdout", /"tools":\[/);
  const { code, stdout, stderr } = await server.end();
  expect(code).toBe(0);
  expect(stdout + stderr).not.toContain("a-secret-for-http");
});
