/** Paths of the bench: files of this repository, and where it keeps what it makes once: fixtures, and the peers that `pnpm bench:peers` installs. */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A file of this repository. */
export const inRepository = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

export const CACHE = process.env["OARLOCK_BENCH_CACHE"] ?? inRepository("tooling/bench/.cache");

export const inCache = (...path: string[]): string => join(CACHE, ...path);

/** A file or folder of the cache, made once and kept. `make` gets its path until it is complete. */
export function madeOnce(name: string, make: (draft: string) => void): string {
  const path = inCache(name);
  if (existsSync(path)) return path;
  const draft = `${path}.part`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  make(draft);
  renameSync(draft, path);
  return path;
}

/** A line of text that no other one is equal to. */
export const numberedLine = (at: number): string =>
  `line ${at} the quick brown fox jumps over the lazy dog ${(at * 2_654_435_761) >>> 0}\n`;
