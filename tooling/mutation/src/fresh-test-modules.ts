/** Setup file of tests in a reused worker: helpers of tests are loaded again, as they may register hooks when they load. */
interface WorkerState {
  readonly evaluatedModules: {
    readonly fileToModulesMap: ReadonlyMap<string, Iterable<unknown>>;
    invalidateModule(module: unknown): void;
  };
}

const { evaluatedModules } = (globalThis as unknown as { readonly __vitest_worker__: WorkerState }).__vitest_worker__; // set by vitest
for (const [file, modules] of evaluatedModules.fileToModulesMap) {
  if (/\/test\/(?!.*\.test\.ts$)/.test(file)) for (const module of modules) evaluatedModules.invalidateModule(module);
}
