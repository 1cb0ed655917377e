// search_file_contents beside a hostile program, and searches of many gigabytes that are ended: nothing outside is revealed, nothing is left.
import { linkSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { needs } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { findRipgrep } from "../../../../src/disk/search/ripgrep/ripgrep-process.ts";
import { ripgrepEngine } from "../../../../src/disk/search/ripgrep/ripgrep-engine.ts";
import { plainEngine } from "../../../../src/disk/search/plain/plain-engine.ts";
import type { SearchEngine } from "../../../../src/disk/search/contents/engine.ts";
import type { OutputMode } from "../../../../src/disk/search/contents/options.ts";
import { searchContents } from "../../../../src/disk/search/contents/content-search.ts";
import { contentsText } from "../../../../src/disk/search/contents/result-text.ts";
import { until } from "../../support/until.ts";
import { world } from "../../support/world.ts";

const binary = findRipgrep() ?? "the binary is not installed";
const ENGINES: readonly SearchEngine[] = [ripgrepEngine(binary), plainEngine, ripgrepEngine(binary, { filesByStdin: true })];
const MODES: readonly OutputMode[] = ["content", "files", "count"];

const races = Number(process.env["OARLOCK_RACE_SEARCHES"] ?? (process.env["OARLOCK_LONG"] === "1" ? 30 : 15));

test.each(ENGINES.map((engine) => [engine.name, engine] as const))(
  "PATH-43 reveals nothing outside through a directory that is swapped for a link: %s",
  needs("Linux"),
  async (_, engine) => {
    const here = world();
    const child = fork(new URL("../../children/swap.ts", import.meta.url), [here.root, here.out, "folder"]);
    await once(child, "message");
    for (let at = 0; at < 30; at++) writeFileSync(join(here.root, `plain${at}`), "plain\n");
    const sandbox = await here.open();
    try {
      for (let at = 0; at < (engine === ENGINES[0] ? races : races / 10); at++) {
        const outputMode = MODES[at % 3];
        const result = await searchContents(sandbox, here.root, { pattern: "canary|plain", limit: 1000, outputMode }, engine);
        expect(JSON.stringify(result)).not.toMatch(/canary|secret/);
        expect(result).toMatchObject({ filesSearched: 30, filesMatched: 30 });
      }
    } finally {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  },
);

describe("a long search", needs("/proc"), () => {
  /** Many gigabytes to be read, of little room: one file under many names. */
  function large(root: string): void {
    writeFileSync(join(root, "0"), "the quick brown fox jumps over the lazy dog\n".repeat(500_000));
    for (let at = 1; at < 3000; at++) linkSync(join(root, "0"), join(root, String(at)));
  }
  const slow = { pattern: "\\w+ \\w+ \\w+ [xyz]\\d$", limit: 5 };

  /** Children of this process by their program. */
  const children = (): string[] =>
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        try {
          const [, program = "", parent] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
          return Number(parent) === process.pid && program === "rg" ? [pid] : [];
        } catch {
          return []; // it has just ended
        }
      });

  test.each(ENGINES.map((engine) => [engine.name, engine] as const))(
    "RPC-23 ends its %s as soon as it is cancelled",
    async (name, engine) => {
      const here = world();
      large(here.root);
      const sandbox = await here.open();
      const cancel = new AbortController();
      const received: number[] = [];
      const search = searchContents(sandbox, here.root, { ...slow, signal: cancel.signal, progress: (ms) => received.push(ms) }, engine);
      const ended = search.then(
        () => "finished",
        (error: Error) => error.message,
      );
      await until("two notes of progress", () => received.length > 2);
      if (name === "ripgrep") expect(children()).toHaveLength(1);
      cancel.abort(new Error("enough"));
      expect(await ended).toBe("enough");
      expect(children()).toEqual([]);
      expect(received).toEqual(received.toSorted((a, b) => a - b));
    },
  );

  test("names the time limit and returns its matches when it takes too long", async () => {
    const here = world();
    writeFileSync(join(here.root, "found"), "the a fox x1\n");
    const sandbox = await here.open();
    await searchContents(sandbox, here.root, slow); // so that the start of the program is not measured
    large(here.root);
    const result = await searchContents(sandbox, here.root, { ...slow, timeLimitMs: 400 });
    expect(result).toMatchObject({ timedOut: true, truncated: true });
    expect(result.nextCursor).toBeUndefined();
    expect(contentsText(result)).toContain("The time for a search was over");
    expect(children()).toEqual([]);
  });
});
