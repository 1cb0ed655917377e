/** All tests of the repository in one run, on the TypeScript sources of every package. */
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const conditions = ["oarlock-source", "module", "node"];

// Thousands of processes run the same sources: what Node compiled once is kept for all of them, which makes a start twice as fast.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL(".cache/compiled", import.meta.url));

/** Their modules are loaded once for all files of a worker, as no test and no support of tests leaves anything behind in them. */
const SHARED = ["packages/{server-kit,client}/test/**/*.test.ts"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    pool: "forks",
    // Most tests wait for processes of their own: two cores are busy with two of them, not with one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A busy machine takes seconds where an idle one takes milliseconds.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      { extends: true, test: { name: "shared", include: SHARED, isolate: false } },
      {
        extends: true,
        test: {
          name: "isolated",
          include: ["{packages,servers,tooling,examples}/*/test/**/*.test.ts", "packages/*/examples/*.test.ts"],
          exclude: ["**/node_modules/**", ...SHARED],
          // Errors elsewhere are the business of check:types.
          typecheck: { enabled: true, include: ["packages/*/test/**/*.test-d.ts"], tsconfig: "tsconfig.json", ignoreSourceErrors: true },
        },
      },
    ],
  },
});
