/** All tests of the repository in one run, on the TypeScript sources of every package. */
import { defineConfig } from "vitest/config";

const conditions = ["oarlock-source", "module", "node"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["{packages,servers,tooling}/*/test/**/*.test.ts"],
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Errors elsewhere are the business of check:types.
    typecheck: { enabled: true, include: ["packages/*/test/**/*.test-d.ts"], tsconfig: "tsconfig.json", ignoreSourceErrors: true },
  },
});
