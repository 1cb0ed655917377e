/** Tests doctor on set-ups that are broken in one place each: it names the cause and the remedy, and changes nothing. */

import { chmodSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";

import { describe, expect, test, vi } from "vitest";

import { failures, homeWith } from "./doctor-set-up.ts";
import { run } from "./sample-server.ts";

vi.setConfig({ testTimeout: 60_000, maxConcurrency: 4 });

describe.concurrent("doctor", () => {
  test("finds nothing wrong with a plain set-up, and prints the same for people", async () => {
    expect(await failures([])).toEqual([]);
    const { code, stdout } = await run(["doctor"], { env: { HOME: homeWith() } });
    expect({ code, last: stdout.trimEnd().split("\n").at(-1) }).toEqual({
      code: 0,
      last: "Nothing is wrong with sample. No file of a host names it.",
    });
  });

  test("prints the remedy of a failed check for people too", async () => {
    const { code, stdout } = await run(["doctor", "--denny=x"], { env: { HOME: homeWith() } });
    expect(code).toBe(1);
    expect(stdout).toContain('FAILED switches: Unknown switch "--denny".\n       Remedy: Write --deny.\n');
  });

  test("names a variable with a wrong value", async () => {
    const [check] = await failures([], homeWith(), { OARLOCK_MAX_BYTES: "many" });
    expect(check).toMatchObject({ name: "switches", message: expect.stringContaining("OARLOCK_MAX_BYTES") });
  });

  test("names the process that holds a port", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number }; // of a TCP server
    const [check] = await failures(["--http", "--port", String(port)]);
    const owner = process.platform === "linux" ? `(process ${process.pid})` : "another program";
    expect(check).toMatchObject({ name: "port", message: expect.stringContaining(`Port ${port} is already in use by`) });
    expect(check?.message).toContain(owner);
    server.close();
  });

  test("names a token file that is open to others, empty, short or missing, and shows no token", async () => {
    const token = "a-rather-long-secret-token-0123456789";
    const home = homeWith({ open: token, empty: "", short: "abc" });
    chmodSync(join(home, "open"), 0o644);
    for (const name of ["empty", "short"]) chmodSync(join(home, name), 0o600);
    const expected = { open: "Other users", empty: "holds no token", short: "too short", missing: "does not exist" };
    for (const [name, message] of Object.entries(expected)) {
      if (name === "open" && process.platform === "win32") continue;
      const checks = await failures(["--auth-token-file", join(home, name)], home);
      expect(checks).toMatchObject([{ name: "auth-token-file", message: expect.stringContaining(message) }]);
      expect(JSON.stringify(checks)).not.toContain(token);
    }
  });

  test("names a short state key and a backplane that is away, without its password", async () => {
    const checks = await failures(["--http", "--port", "0", "--state-key", "short", "--backplane", "redis://me:hidden-word@127.0.0.1:1"]);
    expect(checks).toMatchObject([
      { name: "state-key", remedy: expect.stringContaining("openssl rand") },
      { name: "backplane", message: expect.stringContaining("127.0.0.1:1 cannot be reached") },
    ]);
    expect(JSON.stringify(checks)).not.toContain("hidden-word");
  });

  test("names an audit file in a missing folder and a taken port of operations", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number }; // of a TCP server
    const home = homeWith();
    const args = ["--http", "--port", "0", "--audit", join(home, "logs", "audit.jsonl"), "--ops-port", String(port)];
    expect(await failures(args, home)).toMatchObject([
      { name: "audit", message: expect.stringContaining('logs" is missing') },
      { name: "ops-port", message: expect.stringContaining(`Port ${port} is already in use by`) },
    ]);
    server.close();
    expect(await failures(["--http", "--port=39208", "--ops-port=39208"], home)).toMatchObject([
      { name: "http", message: "--port and --ops-port are both 39208." },
    ]);
    expect(await failures(["--audit", join(home, "audit.jsonl")], home)).toEqual([]);
  });

  test("says what the start that it tries leaves out", async () => {
    const HOME = homeWith();
    const startLine = async (args: readonly string[], env = {}): Promise<string | undefined> =>
      (await run(["doctor", ...args], { env: { HOME, ...env }, cwd: HOME })).stdout.split("\n").find((line) => line.includes("starts:"));
    expect(await startLine([])).toMatch(/The server starts over stdio, and answered after \d+ ms\.$/);
    expect(await startLine(["--http", "--port=0", "--audit=a.jsonl", "--otel"])).toMatch(
      /stdio, without the switches of HTTP, --audit and --otel, and answered/,
    );
  });

  test.each([
    ["bug", "a bug"],
    ["refusal", "Nothing to serve"],
  ])("names the error of a server that does not start: %s", async (startWith, message) => {
    const checks = await failures(["--start-with", startWith, "--max-bytes", "7", "--also=a", "DIR"]);
    expect(checks).toMatchObject([{ name: "starts", message: expect.stringContaining(message) }]);
    expect(await failures(["--start-with", startWith, "--log-format=json"])).toMatchObject([{ message: checks[0]?.message }]);
  });

  test("names an address that everyone could use", async () => {
    expect(await failures(["--http", "--host", "0.0.0.0", "--port", "0"])).toMatchObject([
      { name: "http", message: expect.stringContaining("without authentication") },
    ]);
  });

  const backplane = ["--backplane", "postgres:///db?host=127.0.0.1&port=PORT"];
  test.each<[args: string[], message: string]>([
    [backplane, "--backplane needs --state-key"],
    [["--backplane-prefix", "a"], "--backplane-prefix needs --backplane"],
    [["--legacy-sse", ...backplane, "--state-key=a key of many characters"], "--legacy-sse cannot be combined with --backplane"],
    [["--oauth-issuer", "http://a.example", "--oauth-audience", "https://b.example"], "Invalid value for --oauth-issuer"],
    [["--allowed-hosts", "https://a.example"], 'Invalid host "https://a.example"'],
    [["--auth-token-file", "long"], "invalid access token"],
  ])("refuses switches of HTTP that the start refuses: %j", async (args, message) => {
    const engine = createServer().listen(0, "127.0.0.1");
    await once(engine, "listening");
    const { port } = engine.address() as { port: number }; // of a TCP server
    const home = homeWith({ long: "x".repeat(5000) });
    chmodSync(join(home, "long"), 0o600);
    const checks = await failures(["--http", "--port=0", ...args.map((arg) => arg.replace("PORT", String(port)))], home);
    expect(checks).toMatchObject([{ name: "http", message: expect.stringContaining(message) }]);
    engine.close();
  });

  test("names optional packages that are not installed", async () => {
    const home = homeWith();
    const engine = createServer().listen(0, "127.0.0.1");
    await once(engine, "listening");
    const { port } = engine.address() as { port: number }; // of a TCP server
    const hidden = `import { registerHooks } from "node:module";
      registerHooks({ resolve(name, context, next) { return next(/backplane-|opentelemetry$/.test(name) ? name + "-hidden" : name, context); } });`;
    const node = ["--import", `data:text/javascript,${encodeURIComponent(hidden)}`];
    const args = ["--http", "--port=0", "--otel", "--state-key=a key of many characters", `--backplane=valkeys://127.0.0.1:${port}`];
    const { stdout } = await run(["doctor", ...args], { env: { HOME: home }, cwd: home, node });
    expect(stdout).toMatch(/^FAILED otel: --otel needs packages.*\n +Remedy: Install them with: npm install @oarlock\/opentelemetry/m);
    expect(stdout).toMatch(
      /^FAILED http: --backplane needs the package.*\n +Remedy: Install it with: npm install @oarlock\/backplane-valkey/m,
    );
    engine.close();
  });
});

test("names a Node that is too old, without loading anything else", async () => {
  const older = "data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
  const node = ["--import", older];
  const json = await run(["--http", "doctor", "--json"], { node });
  expect(json).toMatchObject({ code: 1, stderr: "" });
  expect(JSON.parse(json.stdout)).toMatchObject({
    ok: false,
    server: "sample",
    summary: "1 of 1 checks of sample failed.",
    notChecked: [],
    checks: [{ name: "node", ok: false, remedy: "Install a current Node 24." }],
  });
  expect((await run(["doctor"], { node })).stdout).toContain("Remedy: Install a current Node 24.");
});
