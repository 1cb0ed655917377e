/** One run of vitest over some projects, and its counts. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { memoryDisk } from "@oarlock-tooling/test-support/memory-disk";
import { root, run } from "../steps.mjs";
import { readRecords, RECORDS_VARIABLE, type RunOutcome } from "./records.ts";

export type Project = "fast" | "deep" | "timing";

export interface TestRun extends RunOutcome {
  readonly projects: readonly Project[];
  readonly passed: number;
  /** Failed tests, files that did not run, and errors outside of any test; a worker that crashes counts as both of the latter. */
  readonly failed: number;
}

export interface TestRunOptions {
  readonly args?: readonly string[];
  /** The run is ended after this time. Default: never. */
  readonly timeoutMs?: number;
}

/** Tests that start servers start the build of this run, as users do; by themselves they start the sources. */
const ENVIRONMENT = { OARLOCK_BUILT: "1" };

const REPORTER = "./tooling/run/src/vitest/record-reporter.ts";

export async function runTests(projects: readonly Project[], { args = [], timeoutMs }: TestRunOptions = {}): Promise<TestRun> {
  const records = join(root, ".cache", `tests-${projects.join("-")}.jsonl`);
  mkdirSync(dirname(records), { recursive: true });
  rmSync(records, { force: true });
  const selected = projects.map((project) => `--project=${project}`);
  // On the Node that runs this file: a workflow tries others than that of the clone.
  const vitest = `"${process.execPath}" node_modules/vitest/vitest.mjs`;
  using temporary = temporaryFolder();
  const command = [`${vitest} run --reporter=default`, `--reporter=${REPORTER}`, ...selected, ...args].join(" ");
  const code = await run(`${projects.join(" and ")} tests`, command, {
    env: { ...ENVIRONMENT, ...temporary.env, [RECORDS_VARIABLE]: records },
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  return { projects, ...counted(readRecords(records), code === 0) };
}

/** Keeps the files of tests in memory where it can: a tenth less processor time in deep tests. The long tier keeps them on the disk, as users do. */
function temporaryFolder(): Disposable & { readonly env: NodeJS.ProcessEnv } {
  const memory = process.env["OARLOCK_LONG"] === "1" ? undefined : memoryDisk();
  if (memory === undefined) return { env: {}, [Symbol.dispose]: () => undefined };
  const folder = mkdtempSync(join(memory, "oarlock-"));
  chmodSync(folder, 0o1777); // some tests act as another user
  return { env: { TMPDIR: folder }, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

function counted(outcome: RunOutcome, ok: boolean): Omit<TestRun, "projects"> {
  const passed = outcome.files.reduce((sum, file) => sum + file.passed, 0);
  const failed = outcome.files.reduce((sum, file) => sum + file.failed, 0) + outcome.notRun.length + outcome.errors;
  // A crash, and a run without tests, have no failed test.
  return { ...outcome, passed, failed: failed === 0 && !ok ? 1 : failed };
}
