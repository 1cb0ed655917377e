// The demo: its output, and that a failed step is printed, counted and gives exit code 1.
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { Narrator } from "../src/narrator.ts";
import { perform, type Show, type Step } from "../src/show.ts";

const DEMO = fileURLToPath(new URL("../src/demo.ts", import.meta.url));

const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

function run(env: Record<string, string>): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, NO_COLOR: "1", ...env } };
    execFile(process.execPath, [DEMO], options, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }));
  });
}

describe("npm run demo", () => {
  test("names servers, revisions and features, ends with a host entry, and leaves no files", async () => {
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
  }, 120_000);

  test("prints failures and exits with 1", async () => {
    await using folder = tempFolder();
    const { code, stdout } = await run({ TMPDIR: folder.at("nowhere") });
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ the scene .*ENOENT/);
    expect(stdout).toMatch(/\n1 step passed, [1-9]\d* failed/);
  });
});

describe("a show", () => {
  const holds: Step<unknown> = { title: "holds", play: async (_, say) => say("took 3 ms") };
  const breaks: Step<unknown> = { title: "breaks", play: () => Promise.reject(new Error("it did not hold")) };
  const show = (steps: readonly Step<unknown>[]): Show<AsyncDisposable> => ({
    server: "none",
    transport: "air",
    revisions: ["one", "two"],
    open: async () => ({ [Symbol.asyncDispose]: async () => undefined }),
    steps,
  });

  test("continues after a failed step and counts it", async () => {
    const lines: string[] = [];
    const narrator = new Narrator((line) => lines.push(line));
    await perform(show([breaks, holds]), narrator);
    expect([narrator.passed, narrator.failed]).toEqual([2, 2]);
    expect(lines.filter((line) => line.includes("it did not hold")).length).toBe(2);
  });

  test("prints equal steps once, ignoring numbers", async () => {
    const lines: string[] = [];
    let ms = 3;
    const takes: Step<unknown> = { title: "takes", play: async (_, say) => say(`took ${ms++} ms`) };
    await perform(show([holds, takes]), new Narrator((line) => lines.push(line)));
    expect(lines.filter((line) => line.includes("took")).length).toBe(2);
    expect(lines.at(-1)).toContain("holds and takes.");
  });
});
