/** Where the bench keeps what it makes once: fixtures, and the peers that `pnpm bench:peers` installs. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const CACHE = process.env["OARLOCK_BENCH_CACHE"] ?? fileURLToPath(new URL("../.cache", import.meta.url));

export const inCache = (...path: string[]): string => join(CACHE, ...path);
