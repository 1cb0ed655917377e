// The command oarlock-client, as a process: servers over stdio, those that do not start or crash, and Ctrl+C.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand, running } from "../support/command-process.ts";
import type { Ended, OnOutput } from "../support/run-command.ts";

const SERVER = fileURLToPath(new URL("../fixtures/notes-server.ts", import.meta.url));
const STDIO = ["--", ...running(SERVER)];

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "oarlock-command-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (args: readonly string[], onOutput?: OnOutput): Promise<Ended> => runCommand(join(folder, "credentials.json"), args, onOutput);

test("lists and calls over stdio, in the newest revision and in an older one", async () => {
  const { code, stdout } = await run(["list", ...STDIO]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^notes 1\.2\.3, revision 2026-07-28\n/);
  expect(stdout).toContain("Tools (8):\n  write(text, token?)  Write the note.\n");
  const json = await run(["list", "--json", "--revision", "2025-03-26", ...STDIO]);
  expect(JSON.parse(json.stdout)).toMatchObject({ server: { name: "notes" }, revision: "2025-03-26", resources: [{ uri: "note:///a" }] });
  expect(await run(["call", "write", '{"text":"hello"}', ...STDIO])).toMatchObject({ code: 0, stdout: "Wrote hello\n" });
  expect(await run(["call", "fail", ...STDIO])).toMatchObject({ code: 1, stdout: "Disk full\n" });
});

test("cancels the call on an interrupt and exits with 130", async () => {
  let isSent = false;
  const { code } = await run(["call", "wait", "--trace", ...STDIO], (text, interrupt) => {
    if (isSent || !text.includes('"method":"tools/call"')) return;
    isSent = true;
    interrupt();
  });
  expect(code).toBe(130);
});

test.each([
  ["console.error('Broken: no file'); console.error('Try another.'); process.exit(3)", "Broken: no file\nTry another.\n"],
  ["process.stderr.write('Broken'); process.exit(3)", "Broken\n"],
  ["process.exit(3)", ""],
  // The two starts differ, as each prints its process id.
  ["console.error('One'); console.error(process.pid); process.exit(3)", /^One\n\d+\n\d+\n$/],
])("reports once a server that does not start: %s", async (script, expected) => {
  const { code, stderr } = await run(["list", "--", process.execPath, "-e", script]);
  const error = `Error: The server process (${process.execPath}) exited with code 3.\n`;
  expect(code).toBe(1);
  expect(stderr.endsWith(error)).toBe(true);
  const before = stderr.slice(0, -error.length);
  if (typeof expected === "string") expect(before).toBe(expected);
  else expect(before).toMatch(expected);
});

test("reports once a server that exits during a call", async () => {
  const { code, stderr } = await run(["call", "crash", ...STDIO]);
  expect([code, stderr]).toEqual([1, `Out of notes\nError: The server process (${process.execPath}) exited with code 5.\n`]);
});

test("warns that a call may have made its change when the connection is lost", async () => {
  const [command, ...words] = running(SERVER);
  const doomed = spawn(command, [...words, "--http"], { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = (await once(doomed.stdout!, "data")) as [Buffer];
  const { code, stderr } = await run([line.toString().trim(), "call", "crash"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Error: .+\. The change may or may not have been made: check before you repeat the call\.\n$/);
});
