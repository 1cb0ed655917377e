// A tree of files that is generated from a seed, and one search in it by several engines, which must find the same.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect } from "vitest";
import type { SearchEngine } from "../../../../src/disk/search/contents/engine.ts";
import { searchContents } from "../../../../src/disk/search/contents/content-search.ts";
import type { ContentsOptions } from "../../../../src/disk/search/contents/options.ts";
import { scratch, type Scratch } from "../../support/scratch.ts";

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

/** The number of matches that all engines find, with all queries. */
export async function agreedMatches(
  seed: number,
  engines: readonly SearchEngine[],
  queries: readonly ContentsOptions[],
  hasLatin1 = false,
): Promise<number> {
  const place = scratch();
  grow(place, seed, hasLatin1);
  const sandbox = await place.sandbox();
  let matches = 0;
  for (const query of queries) {
    const [one, ...others] = await Promise.all(engines.map((engine) => searchContents(sandbox, place.root, query, engine)));
    for (const other of others) expect(other, JSON.stringify(query)).toEqual(one);
    matches += (one?.matches.length ?? 0) + (one?.files.length ?? 0);
    // All generated files that are neither ignored nor binary.
    expect(one?.filesSearched, JSON.stringify(query)).toBeGreaterThan(query.include ? 2 : 10);
    expect(one?.filesSearched).toBeLessThanOrEqual(FOLDERS.length * NAMES.length + 2);
  }
  return matches;
}
