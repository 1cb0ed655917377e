/** Paths of the bench: files of this repository, and where it keeps what it makes once: fixtures, and the peers that `pnpm bench:peers` installs. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A file of this repository. */
export const inRepository = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

export const CACHE = process.env["OARLOCK_BENCH_CACHE"] ?? inRepository("tooling/bench/.cache");

export const inCache = (...path: string[]): string => join(CACHE, ...path);
