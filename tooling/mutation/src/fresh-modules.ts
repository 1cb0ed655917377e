/**
 * Setup file of tests in a reused worker: loads helpers of tests again, as they may register hooks when they load, and all sources for a
 * mutant that changes what a module does when it loads.
 */
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    globalNamespace: string;
    mutantActivation: string;
  }
}

interface WorkerState {
  readonly evaluatedModules: {
    readonly fileToModulesMap: ReadonlyMap<string, Iterable<unknown>>;
    invalidateModule(module: unknown): void;
  };
}

interface WorkerGlobals {
  readonly __vitest_worker__: WorkerState;
  /** Whether the modules were loaded with a mutant. */
  mutatedModules?: boolean;
}

const globals = globalThis as unknown as WorkerGlobals & Record<string, { activeMutant?: string } | undefined>; // set by vitest and Stryker
const isStatic = inject("mutantActivation") === "static";
const mutants = globals[inject("globalNamespace")];
// Stryker sets the mutant before the tests; until then the one of the last run would be active.
if (!isStatic && mutants !== undefined) delete mutants.activeMutant;

const outdated =
  isStatic || globals.mutatedModules === true
    ? /^(?!.*\/node_modules\/|.*\/stryker-setup|.*\/fresh-modules\.ts)/
    : /\/test\/(?!.*\.test\.ts$)/;
globals.mutatedModules = isStatic;
const { evaluatedModules } = globals.__vitest_worker__;
for (const [file, modules] of evaluatedModules.fileToModulesMap) {
  if (outdated.test(file)) for (const module of modules) evaluatedModules.invalidateModule(module);
}
