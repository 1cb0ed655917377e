/** Options of a mutation run: the sources to mutate and the tests that should notice. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { positiveInteger } from "@oarlock-tooling/test-support/program";

/** Environment variable with the globs of the tests, one a line, for the vitest configuration in Stryker's workers. */
export const TESTS_VARIABLE = "OARLOCK_MUTATION_TESTS";

/** Environment variable: each mutant runs in a process of its own. */
export const FRESH_VARIABLE = "OARLOCK_MUTATION_FRESH";

export const HELP = `pnpm mutation PATH [--tests PATH]... [--all] [--concurrency N] [--force] [--fresh] [--timeout MS] [--at-least PERCENT]
  PATH           folder or file with sources, such as packages/server-kit/src/wire; a file may have a range of lines: src/a.ts:10-80
  --tests        folder or file with tests; default: the tests that mirror PATH, or all tests of the package
  --all          also the deep and timing tests; default: the fast ones
  --concurrency  mutants measured at a time (default 1)
  --force        measure every mutant again, not only those whose code or tests changed
  --fresh        a process for each mutant: for sources that remember results
  --timeout      milliseconds that the tests of a mutant may take beyond 1.5 times their usual time (default 4000)
  --at-least     fails when fewer of the covered mutants are killed (default: never)`;

/** The tests below a folder. */
const FAST_TESTS = "**/!(*.deep|*.timing).test.ts";
const ALL_TESTS = "**/*.test.ts";

const LINE_RANGE = /:\d+-\d+$/;

export function readOptions(args: string[], root: string) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      tests: { type: "string", multiple: true, default: [] },
      all: { type: "boolean", default: false },
      concurrency: { type: "string", default: "1" },
      force: { type: "boolean", default: false },
      fresh: { type: "boolean", default: false },
      timeout: { type: "string", default: "4000" },
      "at-least": { type: "string" },
    },
  });
  const [path, ...more] = positionals.map(withoutSlash);
  if (path === undefined || more.length > 0) throw new Error("Expected one folder or file. See --help.");
  if (!/^(?:packages|servers|tooling)\/[^/]+\/src(?:\/|$)/.test(path)) throw new Error(`Not a folder with sources: ${path}. See --help.`);
  const source = path.replace(LINE_RANGE, "");
  for (const named of [source, ...values.tests]) if (!existsSync(join(root, named))) throw new Error(`Not found: ${named}.`);
  const tests = values.tests.length > 0 ? values.tests.map(withoutSlash) : [mirroredTests(source, root)];
  return {
    path,
    mutate: [isFolder(root, source) ? `${source}/**/*.ts` : path],
    tests: tests.map((test) => (isFolder(root, test) ? `${test}/${values.all ? ALL_TESTS : FAST_TESTS}` : withSiblings(test, values.all))),
    concurrency: positiveInteger("--concurrency", values.concurrency),
    force: values.force,
    fresh: values.fresh,
    timeoutMs: positiveInteger("--timeout", values.timeout),
    atLeast: values["at-least"] === undefined ? 0 : positiveInteger("--at-least", values["at-least"]),
  };
}

/** `src/disk/access` → `test/disk/access`; the whole `test` where that does not exist. */
export function mirroredTests(path: string, root: string): string {
  const [, home = "", inside = ""] = /^([^/]+\/[^/]+)\/src\/?(.*)$/.exec(path) ?? [];
  const mirrored = join(home, "test", inside.replace(/\.ts$/, ".test.ts")).replaceAll("\\", "/");
  return existsSync(join(root, mirrored)) ? withoutSlash(mirrored) : `${home}/test`;
}

/** With `all`, also matches `x.deep.test.ts` and `x.timing.test.ts`. */
const withSiblings = (test: string, all: boolean): string =>
  all ? test.replace(/(?<!\.deep|\.timing)\.test\.ts$/, "?(.deep|.timing).test.ts") : test;

const isFolder = (root: string, path: string): boolean => statSync(join(root, path)).isDirectory();

const withoutSlash = (path: string): string => path.replace(/\/+$/, "");
