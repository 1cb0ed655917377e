// Random paths, others in every run. OARLOCK_FUZZ_PATHS sets how many (200000 for the long form), OARLOCK_FUZZ_SEED repeats a run.
import { needs } from "@oarlock/testing";
import { test } from "vitest";
import { tryPaths } from "./path-fuzz.ts";

const count = Number(process.env["OARLOCK_FUZZ_PATHS"] ?? 4000);
const seed = Number(process.env["OARLOCK_FUZZ_SEED"] ?? Date.now() % 2 ** 31);

test(
  `PATH-01 to PATH-35: lets none of ${count} random paths lead out, and serves those that stay inside (seed ${seed})`,
  { timeout: Math.max(300_000, count * 5), ...needs("POSIX") },
  () => tryPaths(count, seed),
);
