/** Tests that doctor starts the entries of hosts without an effect, and what it says of them. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { needs } from "../../testing/src/checks/needs.ts";
import { cursor, doctorSetUp, homeVariables } from "./support/doctor-set-up.ts";
import { run, SERVER } from "./support/sample-process.ts";

vi.setConfig({ maxConcurrency: 4 });

const { homeWith, failures } = doctorSetUp(run);

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
    const env = { ...homeVariables(home), OARLOCK_AUDIT: join(home, "other.jsonl"), OARLOCK_OTEL: "1" };
    const { stdout } = await run(["doctor"], { env, cwd: home });
    expect(stdout).toMatch(/^ok {5}host Cursor: .* starts: sample/m);
    expect(stdout).toMatch(/^not started host Gemini CLI: .* sends telemetry \(--otel\)/m);
    expect(stdout).toMatch(/^not started host Windsurf: .* may write/m);
    expect(readdirSync(home).filter((name) => name.endsWith(".jsonl"))).toEqual([]);
  });

  test("ends when an entry leaves a process behind that holds its pipes", needs("POSIX"), async () => {
    const pidFile = join(homeWith(), "pid");
    const script = `const { pid } = require("child_process").spawn("sleep", ["600"], { detached: true, stdio: "inherit" });
      require("fs").writeFileSync(${JSON.stringify(pidFile)}, String(pid)); console.log("hello"); setInterval(() => 0, 50);`;
    const checks = await failures([], homeWith({ ".cursor/mcp.json": cursor({ command: process.execPath, args: ["-e", script] }) }));
    expect(checks).toMatchObject([{ message: expect.stringContaining("no MCP server") }]);
    process.kill(Number(readFileSync(pidFile, "utf8"))); // throws if it has ended
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

  test("checks the arguments of an entry that is not started", needs("shell scripts"), async () => {
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

  test("lists the entries that it did not start or check, also in its last line", async () => {
    const home = homeWith({
      ".cursor/mcp.json": cursor({ command: "npx", args: ["-y", "sample", "DIR"] }),
      ".gemini/settings.json": cursor({ url: "http://me:hidden-word@127.0.0.1:3920/mcp?key=hidden-word" }, "notes"),
    });
    const { code, stdout } = await run(["doctor"], { env: homeVariables(home), cwd: home });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^not started host Cursor: .* starts npx, whose cache does not hold the package/m);
    expect(stdout).toMatch(
      /^not checked host Gemini CLI: .*: npx -y @oarlock\/client http:\/\/127\.0\.0\.1:3920\/mcp list \(with --token-file FILE where it takes a token\)$/m,
    );
    expect(stdout).not.toContain("hidden-word");
    expect(stdout).toMatch(/\nNo check of sample failed: 2 checks not made in full\.\n$/);
  });

  test.each([
    ["a relative program with a cwd", { command: "./server", cwd: "FOLDER" }, ""],
    ["a cwd that only the host knows", { command: "./server", cwd: "${workspaceFolder}" }, "folder that only Cursor knows"],
    ["another server under its name", { command: "./server", cwd: "FOLDER", env: { NAME: "other" } }, "starts another server: other"],
  ])("checks an entry with %s", async (_, entry, caveat) => {
    const reply = { jsonrpc: "2.0", id: 1, result: { serverInfo: { name: "NAME", version: "1" } } };
    const script = `#!/usr/bin/env node\nconsole.log('${JSON.stringify(reply)}'.replace("NAME", process.env.NAME ?? "sample"));\n`;
    const home = homeWith({ "bin/server": script });
    chmodSync(join(home, "bin/server"), 0o755);
    mkdirSync(join(home, ".cursor"));
    writeFileSync(join(home, ".cursor/mcp.json"), cursor({ ...entry, cwd: entry.cwd.replace("FOLDER", join(home, "bin")) }));
    const { stdout } = await run(["doctor"], { env: homeVariables(home), cwd: home });
    const line = stdout.split("\n").find((text) => text.includes("host Cursor"));
    expect(line).toContain(caveat === "" ? "starts: sample 1 answered" : caveat);
    expect(line?.startsWith("ok")).toBe(caveat === "");
  });

  test("names an entry with a program that is not a server", async () => {
    const entry = { command: process.execPath, args: ["-e", "console.log('hello')"] };
    expect(await failures([], homeWith({ ".cursor/mcp.json": cursor(entry) }))).toMatchObject([
      { name: "host Cursor", message: expect.stringContaining("no MCP server") },
    ]);
  });
});
