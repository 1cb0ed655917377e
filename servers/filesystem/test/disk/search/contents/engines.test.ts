// The engines: ripgrep with open files, ripgrep with one file after another, and the plain one find the same.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { findRipgrep } from "../../../../src/disk/search/ripgrep/ripgrep-process.ts";
import { ripgrepEngine } from "../../../../src/disk/search/ripgrep/ripgrep-engine.ts";
import { plainEngine } from "../../../../src/disk/search/plain/plain-engine.ts";
import { chooseEngine, usePlainEngine } from "../../../../src/disk/search/contents/engine-choice.ts";
import { searchContents } from "../../../../src/disk/search/contents/content-search.ts";
import type { ContentsOptions } from "../../../../src/disk/search/contents/options.ts";
import { scratch, type Scratch } from "../../support/scratch.ts";
import { refusal } from "../../support/world.ts";

const WORDS = ["needle", "Needle", "hay", "näedle", "a.b", "", "\t x", "needle needle", "-- y", "\r", "\0", "😀 needle"];
const NAMES = ["a.ts", "b.md", ".env", "-rf", "c d.ts", "ü.ts", "new\nline.ts", "x.gen.ts", "log"];
const FOLDERS = ["", "src/", "src/deep/er/", ".dot/", "dist/", "node_modules/m/"];

/** The same tree from the same seed. */
function grow(place: Scratch, seed: number, hasLatin1: boolean): void {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  for (const folder of FOLDERS) {
    for (const name of NAMES) {
      const lines = Array.from({ length: next(40) }, () => WORDS[next(next(6) === 0 ? WORDS.length : 8)]);
      const path = place.at(folder + name);
      mkdirSync(dirname(path), { recursive: true });
      const text = lines.join(next(3) === 0 ? "\r\n" : "\n");
      writeFileSync(
        path,
        next(8) === 0 ? Buffer.from(`\ufeff${text}`, "utf16le") : Buffer.from(text, next(8) === 0 && hasLatin1 ? "latin1" : "utf8"),
      );
    }
  }
  writeFileSync(place.at(".gitignore"), "dist/\n*.gen.ts\n!src/x.gen.ts\n");
  writeFileSync(place.at("src/.gitignore"), "/deep/er/log\n");
  symlinkSync("src", place.at("linked"));
  symlinkSync("a.ts", place.at("linked.ts"));
}

const QUERIES: readonly ContentsOptions[] = [
  { pattern: "needle" },
  { pattern: "needle", contextLines: 2, limit: 1000 },
  { pattern: "n.{1,2}edle$", caseSensitive: false, limit: 1000 },
  { pattern: "a.b", literal: true, outputMode: "count" },
  { pattern: "^\\s*$", outputMode: "count", limit: 1000 },
  { pattern: "\\bneedle\\b", outputMode: "files", includeHidden: true, limit: 1000 },
  { pattern: "needle", respectGitignore: false, includeHidden: true, limit: 1000 },
  { pattern: "needle", include: ["*.ts"], exclude: ["node_modules", "src/deep/**"], limit: 1000 },
  { pattern: "--", limit: 1000 },
  { pattern: "\\p{Emoji_Presentation}", limit: 1000 },
  { pattern: "needle\\s+hay", multiline: true, limit: 1000 },
  { pattern: "^hay$(\r?\n.*){1,3}needle", multiline: true, contextLines: 1, limit: 1000 },
  { pattern: "needle\nhay", multiline: true, literal: true, outputMode: "count", limit: 1000 },
  { pattern: "(?s)hay.*?needle", multiline: true, outputMode: "files", includeHidden: true, limit: 1000 },
  { pattern: "^", multiline: true, outputMode: "count", limit: 1000 },
];

const binary = findRipgrep() ?? "the binary is not installed";
const ENGINES = [ripgrepEngine(binary), plainEngine, ripgrepEngine(binary, { filesByStdin: true })];

describe("all engines", () => {
  // A wildcard of ripgrep matches no byte that is not UTF-8, and one of JavaScript does.
  test.each([
    [1, ENGINES, false],
    [2, ENGINES, false],
    [3, ENGINES.filter(({ name }) => name === "ripgrep"), true],
  ] as const)(
    "find the same in generated tree %i",
    async (seed, engines, hasLatin1) => {
      const place = scratch();
      grow(place, seed, hasLatin1);
      const area = await place.area();
      let matches = 0;
      for (const query of QUERIES) {
        const [one, ...others] = await Promise.all(engines.map((engine) => searchContents(area, place.root, query, engine)));
        for (const other of others) expect(other, JSON.stringify(query)).toEqual(one);
        matches += (one?.matches.length ?? 0) + (one?.files.length ?? 0);
        // All generated files that are neither ignored nor binary.
        expect(one?.filesSearched, JSON.stringify(query)).toBeGreaterThan(query.include ? 2 : 10);
        expect(one?.filesSearched).toBeLessThanOrEqual(FOLDERS.length * NAMES.length + 2);
      }
      expect(matches).toBeGreaterThan(300);
    },
    120_000,
  );

  test.each(["(", "[z-a]", "*"])("refuse the pattern %s", async (pattern) => {
    const place = scratch({ a: "x" });
    const area = await place.area();
    for (const engine of ENGINES) {
      expect((await refusal(() => searchContents(area, place.root, { pattern }, engine))).message).toMatch(/^Invalid pattern: \S/);
    }
  });

  test.each(["a{1000}{1000}{1000}", "(?=x)", "\\1"])("ripgrep refuses the pattern %s", async (pattern) => {
    const place = scratch({ a: "x" });
    const area = await place.area();
    const error = await refusal(() => searchContents(area, place.root, { pattern }, ripgrepEngine(binary)));
    expect(error.message).toMatch(/^Invalid pattern: \S/);
  });
});

test("a pattern that never ends is ended by the time limit of the plain engine", async () => {
  const place = scratch({ a: `${"a".repeat(40)}b\n` });
  const result = await searchContents(await place.area(), place.root, { pattern: "^(a+)+$", timeLimitMs: 500 }, plainEngine);
  expect(result).toMatchObject({ timedOut: true, truncated: true });
});

describe("without a binary that can be started", () => {
  afterEach(() => expect(chooseEngine().name).toBe("plain"));

  test("the plain engine takes over", async () => {
    const place = scratch({ a: "needle\n" });
    usePlainEngine();
    expect((await searchContents(await place.area(), place.root, { pattern: "needle" })).matches).toHaveLength(1);
  });
});
