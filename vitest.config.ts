/**
 * All tests of the repository, on the TypeScript sources of every package, in three projects by file name:
 *
 * - `fast`, `*.test.ts`: in the process of the test run. `npm test` runs these.
 * - `deep`, `*.deep.test.ts`: processes, engines, browsers, registries, official suites.
 * - `timing`, `*.timing.test.ts`: everything that measures time or memory so closely that other work would change it. One file at a time.
 */
import { availableParallelism, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./tooling/run/src/vitest/longest-first.ts";

const local = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const conditions = ["oarlock-source", "module", "node"];

/** The processes and workers that the code of servers starts are of the builds where tests use these: a third of the cost from sources. */
const alias =
  process.env["OARLOCK_BUILT"] === "1"
    ? [
        { find: /^.*\/child-file\.ts$/, replacement: local("servers/sqlite/dist/child-file.js") },
        { find: /^.*\/worker-file\.ts$/, replacement: local("servers/filesystem/dist/disk/search/plain/worker-file.js") },
      ]
    : [];

// Thousands of processes run the same sources: what Node compiled once is kept for all of them, which makes a start twice as fast.
process.env["NODE_COMPILE_CACHE"] ??= local(".cache/compiled");

/** The test files with this ending, such as `deep.test.ts`. */
const filesEndingIn = (ending: string): string[] => [
  `{packages,servers,tooling,examples}/*/test/**/*.${ending}`,
  `packages/*/examples/*.${ending}`,
];

/** Soaks and long fuzzing, for nights and releases. */
const isLong = process.env["OARLOCK_LONG"] === "1";

/**
 * Multiplies the time limits of fast tests: by the load average of each core, at least by 1. Where other machines share the host, which no load
 * average shows, a variable sets it. Random tests of the long tier go on for 2,000 rounds instead of 20 to 40.
 */
const patience = isLong
  ? 100
  : Number(process.env["OARLOCK_TEST_PATIENCE"] ?? Math.max(1, Math.ceil((loadavg()[0] ?? 0) / availableParallelism())));

/** Only ends what hangs: processes, installations and browsers take minutes where ten others run beside them. */
const patient = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } };

const fileCost = local("tooling/run/src/vitest/file-cost.ts");

export default defineConfig({
  resolve: { conditions, alias },
  ssr: { resolve: { conditions } },
  test: {
    pool: "forks",
    // For --changed: a changed manifest would select every test, as a changed module of this configuration does.
    forceRerunTriggers: [],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          include: filesEndingIn("test.ts"),
          exclude: ["**/node_modules/**", "**/*.{deep,timing}.test.ts"],
          // Modules are loaded once for all files of a worker: no test and no support of tests leaves anything behind in them.
          isolate: false,
          setupFiles: [local("tooling/run/src/vitest/no-processes.ts"), fileCost],
          testTimeout: 5000 * patience,
          hookTimeout: 10_000 * patience,
          // Processes that another file started in the same worker may still be ending.
          expect: { poll: { timeout: 4000 * patience } },
          // A worker that takes less memory starts processes faster: each start copies its page tables.
          execArgv: ["--max-semi-space-size=2"],
          maxWorkers: Math.max(2, availableParallelism()),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "deep",
          include: filesEndingIn("deep.test.ts"),
          setupFiles: [fileCost],
          ...patient,
          // Most of these tests wait for processes of their own: with four of them two cores still idled for a sixth of the time.
          maxWorkers: availableParallelism() + 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "timing",
          include: filesEndingIn("timing.test.ts"),
          setupFiles: [fileCost],
          ...patient,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
