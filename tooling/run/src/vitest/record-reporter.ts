/** A vitest reporter that writes a record of each file as soon as it has ended, so that a run that is stopped can be judged as well. */
import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestCase, TestModule, TestSpecification, Vitest } from "vitest/node";
import { RECORDS_VARIABLE, type FileRecord, type RunRecord } from "../records.ts";

export default class RecordReporter implements Reporter {
  readonly #path = process.env[RECORDS_VARIABLE];
  #root = "";

  onInit({ config }: Vitest): void {
    this.#root = config.root;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#write({ planned: specifications.map(({ moduleId }) => this.#nameOf(moduleId)) });
  }

  onTestModuleEnd(module: TestModule): void {
    this.#write(recordOf(module, this.#nameOf(module.moduleId)));
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly unknown[]): void {
    this.#write({ errors: errors.length });
  }

  #nameOf(moduleId: string): string {
    return relative(this.#root, moduleId).replaceAll("\\", "/");
  }

  #write(record: RunRecord): void {
    if (this.#path !== undefined) appendFileSync(this.#path, `${JSON.stringify(record)}\n`);
  }
}

function recordOf(module: TestModule, file: string): FileRecord {
  const tests = [...module.children.allTests()];
  const failed = tests.filter((test) => test.result().state === "failed").length;
  const { cpuSeconds } = module.meta();
  return {
    file,
    project: module.project.name,
    passed: tests.filter((test) => test.result().state === "passed").length,
    failed: failed === 0 && !module.ok() ? 1 : failed,
    skipped: tests.filter((test) => test.result().state === "skipped").map(reasonOf),
    ...(cpuSeconds !== undefined && { cpuSeconds }),
    wallSeconds: module.diagnostic().duration / 1000,
  };
}

const reasonOf = (test: TestCase): string => test.meta().skipReason ?? "";
