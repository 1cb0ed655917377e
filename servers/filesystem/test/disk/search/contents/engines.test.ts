// ripgrep's binary and its WebAssembly: whatever is asked, the results are the same.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { binaryAt, findBinary } from "../../../../src/disk/search/ripgrep/process.ts";
import { engineFor, useWasm } from "../../../../src/disk/search/contents/engine-choice.ts";
import { searchContents } from "../../../../src/disk/search/contents/content-search.ts";
import type { ContentsOptions } from "../../../../src/disk/search/contents/options.ts";
import { wasm } from "../../../../src/disk/search/contents/wasm.ts";
import { scratch, type Scratch } from "../../support/scratch.ts";
import { refusal } from "../../support/world.ts";

const WORDS = ["needle", "Needle", "hay", "näedle", "a.b", "", "\t x", "needle needle", "-- y", "\r", "\0", "😀 needle"];
const NAMES = ["a.ts", "b.md", ".env", "-rf", "c d.ts", "ü.ts", "new\nline.ts", "x.gen.ts", "log"];
const FOLDERS = ["", "src/", "src/deep/er/", ".dot/", "dist/", "node_modules/m/"];

/** The same tree from the same seed. */
function grow(place: Scratch, seed: number): void {
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
      writeFileSync(path, next(8) === 0 ? Buffer.from(`\ufeff${text}`, "utf16le") : Buffer.from(text, next(8) === 0 ? "latin1" : "utf8"));
    }
  }
  writeFileSync(place.at(".gitignore"), "dist/\n*.gen.ts\n!src/x.gen.ts\n");
  writeFileSync(place.at("src/.gitignore"), "/deep/er/log\n");
  symlinkSync("src", place.at("linked"));
  symlinkSync("a.ts", place.at("linked.ts"));
}

const QUESTIONS: readonly ContentsOptions[] = [
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

describe("both engines find the same", () => {
  const binary = findBinary();

  test.each([1, 2, 3])(
    "in generated tree %i",
    async (seed) => {
      const place = scratch();
      grow(place, seed);
      const area = await place.area();
      if (binary === undefined) throw new Error("the binary of this platform is not installed");
      let matches = 0;
      for (const question of QUESTIONS) {
        const [one, other] = await Promise.all(
          [binaryAt(binary), wasm].map((engine) => searchContents(area, place.root, question, engine)),
        );
        expect(other, JSON.stringify(question)).toEqual(one);
        matches += (one?.matches.length ?? 0) + (one?.files.length ?? 0);
        // Those that are generated and neither ignored nor binary; and every one of them.
        expect(one?.filesSearched, JSON.stringify(question)).toBeGreaterThan(question.include ? 2 : 10);
        expect(one?.filesSearched).toBeLessThanOrEqual(FOLDERS.length * NAMES.length + 2);
      }
      expect(matches).toBeGreaterThan(300);
    },
    120_000,
  );

  test.each(["(", "a{1000}{1000}{1000}", "[z-a]", "(?=x)", "\\1", "*"])("the pattern %s is refused in the same words", async (pattern) => {
    const place = scratch({ a: "x" });
    const area = await place.area();
    const [one, other] = await Promise.all(
      [binaryAt(binary ?? ""), wasm].map((engine) => refusal(() => searchContents(area, place.root, { pattern }, engine))),
    );
    expect(one?.message).toMatch(/^The search could not be started: \S/);
    expect(other?.message).toBe(one?.message);
  });
});

describe("without a binary", () => {
  afterEach(() => expect(engineFor({ fds: [] }).name).toBe("wasm"));

  test("that can be started the other engine takes over", async () => {
    const place = scratch({ a: "needle\n" });
    useWasm();
    expect((await searchContents(await place.area(), place.root, { pattern: "needle" })).matches).toHaveLength(1);
  });
});
