// PATH-42 to PATH-44: a hostile program that exchanges files and directories for links as fast as it can, beside a busy server.
import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync, watch } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json } from "@oarlock/server-kit/protocol";
import { needs, toReply } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { startStress, type Stress } from "./stress.ts";

/** All that the catalogue asks for when this is set, else a hundredth of it at night and a 250th by day. */
const FULL = process.env["OARLOCK_FULL_CASES"] === "1";
const rounds = (count: number): number => (FULL ? count : Math.ceil(count / (process.env["OARLOCK_LONG"] === "1" ? 100 : 250)));
/** Calls under way at once. */
const BESIDE = 32;
const LONG_MS = FULL ? 1_200_000 : 60_000;

type Call = readonly [name: string, args: Json];

/** Runs calls, many beside each other; tells how many went through and how many were refused. */
async function storm(stress: Stress, count: number, next: (at: number) => Call): Promise<{ done: number; refused: number }> {
  const tally = { done: 0, refused: 0 };
  let at = 0;
  const worker = async (): Promise<void> => {
    while (at < count) {
      const [name, args] = next(at++);
      const { text, failed } = toReply(await stress.call(name, args, 30_000));
      if (failed) tally.refused++;
      else tally.done++;
      expect(text).not.toContain(stress.secret);
    }
  };
  await Promise.all(Array.from({ length: BESIDE }, worker));
  return tally;
}

async function swapper(name: string, target: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [fileURLToPath(new URL("fixtures/swapper.ts", import.meta.url)), name, target], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  return child;
}

/** Removes what the swapper left in ROOT. */
function clear(stress: Stress): void {
  for (const name of readdirSync(stress.root))
    if (name !== "plain.txt" && !name.startsWith(".")) rmSync(stress.at(name), { recursive: true, force: true });
}

describe("resists a swap", needs("POSIX"), () => {
  test(`PATH-42 of the leaf: ${rounds(200_000)} reads, ${rounds(50_000)} writes, edits and moves`, { timeout: LONG_MS }, async () => {
    await using stress = await startStress({ x: "inside\n" });
    const child = await swapper(stress.at("x"), join(stress.out, "secret.txt"));
    try {
      const reads = await storm(
        stress,
        rounds(200_000),
        (at) =>
          [
            ["read_text_file", { path: "x" }] as const,
            ["read_media_file", { path: "x" }] as const,
            ["get_file_info", { path: "x" }] as const,
            ["read_multiple_files", { paths: ["x", "x"] }] as const,
          ][at % 4]!,
      );
      // Both sides of the swap were met.
      expect(reads.done).toBeGreaterThan(0);
      expect(reads.refused).toBeGreaterThan(0);
      const writes = await storm(
        stress,
        rounds(50_000),
        (at) =>
          [
            ["write_file", { path: "x", content: "inside\n" }] as const,
            ["edit_file", { path: "x", edits: [{ oldText: "canary", newText: "broken" }] }] as const,
            ["write_file", { path: "x", content: "inside\n", mode: "append" }] as const,
            ["edit_file", { path: "x", edits: [{ oldText: "inside", newText: "inside", replaceAll: true }] }] as const,
            ["move_file", { source: "x", destination: `moved-${at}` }] as const,
            ["write_file", { path: "x", content: "inside\n", mode: "create" }] as const,
          ][at % 6]!,
      );
      expect(writes.done).toBeGreaterThan(0);
    } finally {
      child.kill("SIGKILL");
    }
    await stress.checkRules();
    for (const name of readdirSync(stress.root).filter((name) => name.startsWith("moved-"))) {
      const path = stress.at(name);
      // What was moved is a file of ROOT, or the link itself; never what it leads to.
      if (!statSync(path, { throwIfNoEntry: false })?.isFile() || readFileSync(path, "utf8") !== stress.secret) continue;
      expect(readlinkSync(path)).toBe(join(stress.out, "secret.txt"));
    }
    clear(stress);
  });

  test(
    `PATH-43 of a directory in the middle: ${rounds(100_000)} reads and lists, ${rounds(50_000)} writes, new directories and moves`,
    { timeout: LONG_MS },
    async () => {
      await using stress = await startStress({ d: { "secret.txt": "inside\n", sub: { "deep.txt": "inside\n" } } });
      const child = await swapper(stress.at("d"), stress.out);
      try {
        const reads = await storm(
          stress,
          rounds(100_000),
          (at) =>
            [
              ["read_text_file", { path: "d/secret.txt" }] as const,
              ["list_directory", { path: "d/sub" }] as const,
              ["search_files", { path: "d", pattern: "**" }] as const,
              ["directory_tree", { path: "d" }] as const,
              ["read_text_file", { path: `${stress.root}/d/sub/deep.txt` }] as const,
              ["list_directory_with_sizes", { path: "d" }] as const,
            ][at % 6]!,
        );
        expect(reads.done).toBeGreaterThan(0);
        expect(reads.refused).toBeGreaterThan(0);
        const writes = await storm(
          stress,
          rounds(50_000),
          (at) =>
            [
              ["write_file", { path: "d/secret.txt", content: "inside\n" }] as const,
              ["write_file", { path: `d/new-${at}`, content: "x" }] as const,
              ["create_directory", { path: `d/made-${at}/below` }] as const,
              ["edit_file", { path: "d/sub/deep.txt", edits: [{ oldText: "inside", newText: "inside" }] }] as const,
              ["move_file", { source: "d/secret.txt", destination: "d/other.txt" }] as const,
              ["move_file", { source: "d/other.txt", destination: "d/secret.txt" }] as const,
              ["write_file", { path: `d/a-${at}/b/c`, content: "x", createDirectories: true }] as const,
              ["move_file", { source: "d/sub", destination: "taken" }] as const,
              ["move_file", { source: "taken", destination: "d/sub" }] as const,
            ][at % 9]!,
        );
        expect(writes.done).toBeGreaterThan(0);
      } finally {
        child.kill("SIGKILL");
      }
      await stress.checkRules();
      clear(stress);
    },
  );
});

test(
  "PATH-44 creates temporary files that cannot be guessed or followed, are no wider than the file, and never stay",
  { timeout: LONG_MS },
  async () => {
    await using stress = await startStress({ f: "old\n" });
    chmodSync(stress.at("f"), 0o600);
    const likely = [
      "f.tmp",
      ".f.tmp",
      "f~",
      ".f.swp",
      "f.bak",
      `f.${stress.pid}.tmp`,
      `.f.${stress.pid}`,
      ".oarlock",
      ".oarlock-f",
      ".oarlock-tmp",
      `.oarlock-${stress.pid}`,
      "f.0",
      "f.1",
      "tmp",
    ];
    for (const name of likely) symlinkSync(join(stress.out, "secret.txt"), stress.at(name));
    const seen = new Set<string>();
    const modes = new Set<number>();
    const watcher = watch(stress.root, (_kind, name) => {
      if (name === null || name === "f" || likely.includes(name)) return;
      seen.add(name);
      const stat = statSync(stress.at(name), { throwIfNoEntry: false });
      if (stat !== undefined) modes.add(stat.mode & 0o777);
    });
    const big = "x".repeat(500_000);
    const tally = await storm(
      stress,
      FULL ? 10_000 : 100,
      (at) =>
        [
          ["write_file", { path: "f", content: `${at}\n${big}` }] as const,
          ["edit_file", { path: "f", edits: [{ oldText: "xxx", newText: "y" }] }] as const, // not the only one: fails
          ["write_file", { path: "f", content: "z", expectedEtag: "no such" }] as const, // fails
          ["write_file", { path: "f", content: "\ud800" }] as const, // fails
          ["write_file", { path: "f", content: "tail\n", mode: "append" }] as const,
        ][at % 5]!,
    );
    expect(tally.done).toBeGreaterThan(0);
    expect(tally.refused).toBeGreaterThan(0);
    await expect.poll(() => seen.size).toBeGreaterThan(10);
    watcher.close();
    for (const name of seen) expect(name).toMatch(/[0-9a-f]{32}/);
    expect([...modes].filter((mode) => (mode & 0o077) !== 0)).toEqual([]);
    for (const name of likely) expect(readlinkSync(stress.at(name))).toBe(join(stress.out, "secret.txt"));
    for (const name of likely) rmSync(stress.at(name));
    expect(readdirSync(stress.root).toSorted()).toEqual(["f", "plain.txt"]);
    expect(statSync(stress.at("f")).mode & 0o777).toBe(0o600);
    await stress.checkRules();
  },
);
