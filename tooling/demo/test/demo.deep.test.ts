// The demo: its output, and that a failed step gives exit code 1.
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";

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
  }); // it starts every server in every revision

  test("prints failures and exits with 1", async () => {
    await using folder = tempFolder();
    const { code, stdout } = await run({ TMPDIR: folder.at("nowhere") });
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ the scene .*ENOENT/);
    expect(stdout).toMatch(/\n1 step passed, [1-9]\d* failed/);
  });
});
