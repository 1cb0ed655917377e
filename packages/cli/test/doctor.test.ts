/** Tests doctor on set-ups that are broken in one place each: it names the cause and the remedy, and changes nothing. */

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterAll, describe, expect, test, vi } from "vitest";

import { run, SERVER } from "./sample-server.ts";

vi.setConfig({ testTimeout: 60_000, maxConcurrency: 4 });

interface Report {
  ok: boolean;
  checks: { name: string; ok: boolean; message: string; remedy?: string }[];
}

const folder = mkdtempSync(join(tmpdir(), "doctor-"));
afterAll(() => rmSync(folder, { recursive: true }));
let homes = 0;

/** A home folder with these files. */
function homeWith(files: Readonly<Record<string, string>> = {}): string {
  const home = join(folder, `home-${homes++}`);
  mkdirSync(home);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), content);
  }
  return home;
}

/** The failed checks. The exit code, `ok` and the remedies always fit them. */
async function failures(args: readonly string[], HOME = homeWith(), env: Record<string, string> = {}): Promise<Report["checks"]> {
  const before = readdirSync(HOME, { recursive: true });
  const { code, stdout, stderr } = await run(["doctor", "--json", ...args], { env: { HOME, ...env }, cwd: HOME });
  expect(stderr).toBe("");
  const { ok, checks } = JSON.parse(stdout) as Report; // the report under test
  const failed = checks.filter((check) => !check.ok);
  expect({ code, ok }).toEqual(failed.length === 0 ? { code: 0, ok: true } : { code: 1, ok: false });
  for (const { remedy = "" } of failed) expect(remedy).not.toBe("");
  expect(readdirSync(HOME, { recursive: true })).toEqual(before);
  return failed;
}

const cursor = (entry: unknown, name = "sample"): string => JSON.stringify({ mcpServers: { [name]: entry } });

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

  test("refuses the switches of HTTP that the start refuses", async () => {
    const engine = createServer().listen(0, "127.0.0.1");
    await once(engine, "listening");
    const { port } = engine.address() as { port: number }; // of a TCP server
    const home = homeWith({ long: "x".repeat(5000) });
    chmodSync(join(home, "long"), 0o600);
    const backplane = ["--backplane", `postgres:///db?host=127.0.0.1&port=${port}`];
    const key = ["--state-key", "a key of many characters"];
    const table: [args: string[], message: string, env?: Record<string, string>][] = [
      [backplane, "--backplane needs --state-key"],
      [["--backplane-prefix", "a"], "--backplane-prefix needs --backplane"],
      [["--legacy-sse", ...backplane, ...key], "--legacy-sse cannot be combined with --backplane"],
      [["--oauth-issuer", "http://a.example", "--oauth-audience", "https://b.example"], "Invalid value for --oauth-issuer"],
      [["--allowed-hosts", "https://a.example"], 'Invalid host "https://a.example"'],
      [["--auth-token-file", join(home, "long")], "invalid access token"],
    ];
    for (const [args, message] of table)
      expect(await failures(["--http", "--port=0", ...args], home)).toMatchObject([
        { name: "http", message: expect.stringContaining(message) },
      ]);
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

describe.concurrent("hosts", () => {
  test("starts what a host would start, with its variables, and changes nothing", async () => {
    const entry = { command: process.execPath, args: ["--conditions=oarlock-source", SERVER], env: { OARLOCK_MAX_BYTES: "7" } };
    expect(await failures([], homeWith({ ".cursor/mcp.json": cursor(entry) }))).toEqual([]);
  });

  test("starts no entry that would send or write, and opens no audit file", async () => {
    const home = homeWith();
    const entryWith = (...args: string[]): string =>
      cursor({ command: process.execPath, args: ["--conditions=oarlock-source", SERVER, ...args] });
    const files = {
      ".cursor/mcp.json": entryWith("--audit", join(home, "audit.jsonl")),
      ".gemini/settings.json": entryWith("--otel"),
      ".codeium/windsurf/mcp_config.json": entryWith("--read-only=false"),
    };
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), content);
    }
    const env = { HOME: home, OARLOCK_AUDIT: join(home, "other.jsonl"), OARLOCK_OTEL: "1" };
    const { stdout } = await run(["doctor"], { env, cwd: home });
    expect(stdout).toMatch(/^ok {5}host Cursor: .* starts: sample/m);
    expect(stdout).toMatch(/^not started host Gemini CLI: .* sends telemetry \(--otel\)/m);
    expect(stdout).toMatch(/^not started host Windsurf: .* may write/m);
    expect(readdirSync(home).filter((name) => name.endsWith(".jsonl"))).toEqual([]);
  });

  test.skipIf(process.platform === "win32")("ends though an entry leaves a process behind", async () => {
    const left = `require("child_process").spawn("sleep", ["50"], { detached: true, stdio: "inherit" }); console.log("hello"); setInterval(() => 0, 50)`;
    const start = performance.now();
    expect(await failures([], homeWith({ ".cursor/mcp.json": cursor({ command: process.execPath, args: ["-e", left] }) }))).toMatchObject([
      { message: expect.stringContaining("no MCP server") },
    ]);
    expect(performance.now() - start).toBeLessThan(40_000);
  });

  test("names the error of an entry that writes JSON", async () => {
    const entry = { command: process.execPath, args: ["--conditions=oarlock-source", SERVER, "--log-format=json", "--start-with=refusal"] };
    expect(await failures([], homeWith({ ".cursor/mcp.json": cursor(entry) }))).toMatchObject([
      { message: expect.stringMatching(/does not start: it ended with code 3: error: Nothing to serve: the folder does not exist/) },
    ]);
  });

  test("names an entry whose command ends with an error, with the reason and without its variables", async () => {
    const env = { API_TOKEN: "secret-of-the-entry" };
    const entry = { command: process.execPath, args: ["--conditions=oarlock-source", SERVER, "--denny"], env };
    const checks = await failures([], homeWith({ ".cursor/mcp.json": cursor(entry) }));
    expect(checks).toMatchObject([{ name: "host Cursor", message: expect.stringMatching(/does not start: .*Unknown switch "--denny"/) }]);
    const silent = { command: process.execPath, args: ["-e", "console.error('Error: ' + process.env.API_TOKEN); process.exit(1)"], env };
    const [check] = await failures([], homeWith({ ".cursor/mcp.json": cursor(silent) }));
    expect(check?.message).toContain("Error: ***");
  });

  test.each([
    ["a command that is missing", cursor({ command: "/nowhere/sample" }), "which was not found"],
    ["no command", cursor({}), "has no command"],
    ["arguments in one text", cursor({ command: "node", args: "sample" }), "not a list"],
    ["the key of another host", JSON.stringify({ servers: { sample: { command: "node" } } }), 'under "servers"'],
    ["broken JSON", '{"mcpServers": {\n "sample" {', "is not valid JSON at line 2"],
    ["a program that is not a server", cursor({ command: process.execPath, args: ["-e", "console.log('hello')"] }), "no MCP server"],
  ])("names an entry with %s", async (_, content, message) => {
    const checks = await failures([], homeWith({ ".cursor/mcp.json": content }));
    expect(checks).toMatchObject([{ name: "host Cursor", message: expect.stringContaining(message) }]);
  });

  test("reads the file of each host on this platform", async () => {
    const settings =
      process.platform === "darwin" ? "Library/Application Support" : process.platform === "win32" ? "AppData/Roaming" : ".config";
    const entry = { sample: { command: "/nowhere/sample" } };
    const home = homeWith({
      [`${settings}/Claude/claude_desktop_config.json`]: JSON.stringify({ mcpServers: entry }),
      ".claude.json": JSON.stringify({ projects: { "/a": { mcpServers: entry } } }),
      [`${settings}/Code/User/mcp.json`]: `{ // with a comment\n "servers": ${JSON.stringify(entry)}, }`,
      ".codex/config.toml": '[mcp_servers.sample]\ncommand = "/nowhere/sample"\n',
      ".gemini/settings.json": JSON.stringify({ mcpServers: entry }),
      ".config/zed/settings.json": JSON.stringify({ context_servers: entry }),
      ".codeium/windsurf/mcp_config.json": JSON.stringify({ mcpServers: entry }),
    });
    const names = (await failures([], home)).map(({ name }) => name);
    const hosts = ["Claude Desktop", "Claude Code", "VS Code", "Codex", "Gemini CLI", "Zed", "Windsurf"];
    expect(names).toEqual((process.platform === "win32" ? hosts.filter((host) => host !== "Zed") : hosts).map((host) => `host ${host}`));
  });

  test.skipIf(process.platform === "win32")("checks the arguments of an entry that is not started", async () => {
    const program = join(homeWith(), "sample");
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" --conditions=oarlock-source "${SERVER}" "$@"\n`, { mode: 0o755 });
    const files = {
      ".cursor/mcp.json": cursor({ command: program, args: ["--denny=x"] }),
      ".mcp.json": cursor({ command: program, args: ["--max-bytes=many"] }),
      ".gemini/settings.json": cursor({ command: "npx", args: ["-y", "sample", "--denny", "x"] }),
    };
    const checks = await failures([], homeWith(files));
    const message = (text: string): unknown => expect.stringMatching(`does not start: ${text}`);
    expect(checks.toSorted((one, other) => one.name.localeCompare(other.name))).toMatchObject([
      { name: "host Claude Code", message: message("Invalid value for --max-bytes") },
      { name: "host Cursor", message: message('Unknown switch "--denny": did you mean --deny\\?') },
      { name: "host Gemini CLI", message: message('Unknown switch "--denny"') },
    ]);
  });

  test("says which entries it did not start or check, also in its last line", async () => {
    const home = homeWith({
      ".cursor/mcp.json": cursor({ command: "npx", args: ["-y", "sample", "DIR"] }),
      ".gemini/settings.json": cursor({ url: "http://me:hidden-word@127.0.0.1:3920/mcp?key=hidden-word" }, "notes"),
    });
    const { code, stdout } = await run(["doctor"], { env: { HOME: home }, cwd: home });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^not started host Cursor: .* starts npx, whose cache does not hold the package/m);
    expect(stdout).toMatch(
      /^not checked host Gemini CLI: .*: npx -y @oarlock\/client http:\/\/127\.0\.0\.1:3920\/mcp list \(with --token-file FILE where it takes a token\)$/m,
    );
    expect(stdout).not.toContain("hidden-word");
    expect(stdout).toMatch(/\nNo check of sample failed: 2 checks not made in full\.\n$/);
  });

  test("warns of a trailing comma or a comment, except where the host accepts it", async () => {
    const entry = JSON.stringify({ sample: { disabled: true, command: "sample" } });
    const home = homeWith({
      ".cursor/mcp.json": `{\n "mcpServers": ${entry},\n}`,
      ".gemini/settings.json": `{ "mcpServers": ${entry}, "a": "// , }",\n // hello\n "b": 1 }`,
      ".vscode/mcp.json": `{ "servers": ${entry}, }`,
    });
    const { stdout } = await run(["doctor"], { env: { HOME: home }, cwd: home });
    expect(stdout).toMatch(/^warning host Cursor: .* has a trailing comma at line 2, /m);
    expect(stdout).toMatch(/^warning host Gemini CLI: .* has a comment at line 2, /m);
    expect(stdout).toMatch(/^ok {5}host VS Code: .* has a trailing comma at line 1, .* VS Code accepts it\.$/m);
    expect(stdout).toContain("No check of sample failed: 2 warnings.");
  });

  test("does not start what came with a project", async () => {
    const home = homeWith({
      ".mcp.json": cursor({ command: process.execPath, args: ["-e", "require('fs').writeFileSync('started', '')"] }),
    });
    expect(await failures([], home)).toEqual([]);
    expect(existsSync(join(home, "started"))).toBe(false);
  });
});

test("names a Node that is too old, without loading anything else", async () => {
  const older = "data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
  const node = ["--import", older];
  const json = await run(["doctor", "--json"], { node });
  expect(json).toMatchObject({ code: 1, stderr: "" });
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, checks: [{ name: "node", ok: false, remedy: "Install a current Node 24." }] });
  expect((await run(["doctor"], { node })).stdout).toContain("Remedy: Install a current Node 24.");
});
