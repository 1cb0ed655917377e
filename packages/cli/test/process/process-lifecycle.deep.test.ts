/** Tests how a server's process ends, and what does not end it, on real processes. */
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { needs } from "../../../testing/src/checks/needs.ts";
import { look, run, Sample } from "../support/sample-process.ts";

const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { engines: { node: string } }; // our own

async function waiting(ms: number, args: readonly string[] = []): Promise<Sample> {
  const sample = await new Sample(["--log-level", "info", ...args]).handshake();
  sample.send("tools/call", { name: "wait", arguments: { ms } });
  await sample.until("stderr", /Warning: waiting/);
  return sample;
}

test("turns debug entries on and off by SIGUSR2", needs("signals"), async () => {
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
    expect(stderr).toMatch(/stdio\nCritical: Uncaught exception, the server exits: Error: out of the blue \(at .*sample\.ts.*\)\n$/);
  });
});

test("logs an unhandled rejection and keeps serving", async () => {
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

test("prints only protocol messages on stdout, also while the server is created (RPC-27)", async () => {
  const { code, stdout, stderr } = await run([tmpdir()]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toBe("printed while starting\nsample 1.2.3 is ready on stdio\nclosing\n");
});

test("exits with 3 and one sentence on an older Node, before the server is created", async () => {
  const older = "data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
  expect(await run(["--help"], { node: ["--import", older] })).toEqual({
    code: 3,
    stdout: "",
    stderr: `Error: sample does not run on Node 20.20.2: expected ${engines.node}. Install a current Node 24.\n`,
  });
});
