/** All tests of the repository in one run, on the TypeScript sources of every package. */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const conditions = ["oarlock-source", "module", "node"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["{packages,servers,tooling,examples}/*/test/**/*.test.ts", "packages/*/examples/*.test.ts"],
    pool: "forks",
    // Most tests wait for processes of their own: two cores are busy with two of them, not with one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A busy machine takes seconds where an idle one takes milliseconds.
    expect: { poll: { timeout: 30_000 } },
    // Errors elsewhere are the business of check:types.
    typecheck: { enabled: true, include: ["packages/*/test/**/*.test-d.ts"], tsconfig: "tsconfig.json", ignoreSourceErrors: true },
  },
});
