// A table of steps, printed while they run: seconds, bytes of downloaded tarballs, and outcome with the warnings that a user sees.
import type { LoopbackRegistry } from "./loopback-registry.ts";
import type { ProgramResult } from "@oarlock-tooling/test-support/run-program";

const HEAD = "| step | tool | Node | seconds | MB downloaded | outcome |\n| --- | --- | --- | ---: | ---: | --- |";

/** Of yarn 2 and later: peers, build scripts and deprecations. */
const WARNING = /\bwarn|deprecated|YN00(02|04|05|07|60|61|86)/i;

export interface StepOf {
  readonly step: string;
  readonly tool: string;
  readonly node: string;
}

export class StepTable {
  failures = 0;
  readonly #registry: LoopbackRegistry;

  constructor(registry: LoopbackRegistry) {
    this.#registry = registry;
    console.log(HEAD);
  }

  /** Runs a step and prints its row; `work` returns the outcome. */
  async step({ step, tool, node }: StepOf, work: () => Promise<string>): Promise<void> {
    const start = performance.now();
    const before = this.#registry.downloadedBytes;
    let outcome: string;
    try {
      outcome = await work();
    } catch (error) {
      this.failures++;
      outcome = `FAILED: ${error instanceof Error ? error.message : String(error)}`;
    }
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const megabytes = ((this.#registry.downloadedBytes - before) / 1e6).toFixed(1);
    console.log(
      `| ${step} | ${tool} | ${node} | ${seconds} | ${megabytes} | ${outcome.replaceAll(/\s*\n\s*/g, " ").replaceAll("|", "\\|")} |`,
    );
  }
}

/** Fails unless the command has ended well; else its warnings. */
export function warningsOf({ code, stdout, stderr }: ProgramResult): string {
  if (code !== 0) throw new Error(`exit code ${code}: ${`${stdout}\n${stderr}`.trim().slice(-500)}`);
  const warnings = `${stdout}\n${stderr}`.split("\n").filter((line) => WARNING.test(line));
  return warnings.length === 0 ? "no warning" : `warned: ${warnings.join(" ").slice(0, 300)}`;
}
