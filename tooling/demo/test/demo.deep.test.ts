// The demo: its shows, and that a failed step gives exit code 1. Each run plays the show of every server on a pipe in the newest revision, and that of
// filesystem over HTTP in the newest of the other era; the long tier plays the others over HTTP too, and runs the whole command, in every revision.
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { tempFolder } from "@oarlock/testing";
import { IN_LONG_RUNS } from "@oarlock-tooling/test-support/long-tier";
import { describe, expect, test } from "vitest";
import { Narrator } from "../src/narrator.ts";
import { perform, type Show } from "../src/show.ts";
import { NEWEST_OF_ERAS } from "../src/stage.ts";
import { filesystem } from "../src/steps/filesystem.ts";
import { git } from "../src/steps/git.ts";
import { memory } from "../src/steps/memory.ts";
import { sqlite } from "../src/steps/sqlite.ts";

const DEMO = fileURLToPath(new URL("../src/demo.ts", import.meta.url));

const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

function run(env: Record<string, string>): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, NO_COLOR: "1", ...env } };
    execFile(process.execPath, [DEMO], options, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }));
  });
}

/** Plays one of the shows of a server in one revision; gives what it prints. */
async function played<Scene extends AsyncDisposable>(shows: readonly Show<Scene>[], transport: string, revision: string): Promise<string> {
  const lines: string[] = [];
  const narrator = new Narrator((line) => lines.push(line));
  for (const show of shows.filter((one) => one.transport === transport)) await perform({ ...show, revisions: [revision] }, narrator);
  expect(lines.filter((line) => line.includes("✗"))).toEqual([]);
  expect(narrator).toMatchObject({ passed: shows[0]!.steps.length, failed: 0 });
  return lines.join("\n");
}

describe.each([
  ["stdio", NEWEST_OF_ERAS[0]!],
  ["HTTP", NEWEST_OF_ERAS[1]!],
])("the shows over %s in %s", (transport, revision) => {
  const features = ["subscription", "roots", "completion", "logging", "progress", "cancellation", "question"];

  test("play each step of filesystem", async () => {
    const text = await played(filesystem, transport, revision);
    expect(features.filter((word) => !text.includes(word))).toEqual([]);
  });

  const ofOthers = transport === "HTTP" ? IN_LONG_RUNS : {};

  test("play each step of git", ofOthers, () => played(git, transport, revision));

  test("play each step of sqlite", ofOthers, () => played(sqlite, transport, revision));

  test("play each step of memory", ofOthers, () => played(memory, transport, revision));
});

describe("npm run demo", () => {
  test("names servers, revisions and features, ends with a host entry, and leaves no files", IN_LONG_RUNS, async () => {
    await using folder = tempFolder();
    const { code, stdout, stderr } = await run({ TMPDIR: folder.path });
    expect({ code, stderr, failed: /✗.*/.exec(stdout)?.[0] }).toEqual({ code: 0, stderr: "", failed: undefined });
    const words = ["filesystem", "git", "sqlite", "memory", "stdio", "HTTP", ...REVISIONS];
    const features = ["subscription", "roots", "completion", "logging", "progress", "cancellation", "question", "paging", "prompts"];
    expect([...words, ...features].filter((word) => !stdout.includes(word))).toEqual([]);
    const entry = JSON.parse(stdout.slice(stdout.indexOf("\n{\n")));
    const { command, args } = entry.mcpServers.filesystem;
    expect([command, ...args].filter((path) => !existsSync(path))).toEqual([]);
    expect(readdirSync(folder.path)).toEqual([]);
  }); // it starts every server in every revision

  test("prints failures and exits with 1", async () => {
    await using folder = tempFolder();
    const { code, stdout } = await run({ TMPDIR: folder.at("nowhere") });
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ the scene .*ENOENT/);
    expect(stdout).toMatch(/\n1 step passed, [1-9]\d* failed/);
  });
});
