/** A folder, a watcher and its listeners for one test of watching; and sentinels, which prove that nothing was notified without a wait for it. */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import type { TestContext } from "vitest";
import type { Sandbox } from "../../../src/disk/access/sandbox.ts";
import { createWatcher, type Watcher, type WatcherOptions } from "../../../src/disk/watch/watcher.ts";
import { scratch, type Scratch } from "./scratch.ts";
import { until } from "./until.ts";

/** Only the watches of the system give notice. */
export const NO_LOOKS: WatcherOptions = { lookMs: 3_600_000 };
/** A check each 20 ms instead of each second. */
const OFTEN: WatcherOptions = { lookMs: 20 };

/** A folder and a watcher, by default one that checks often, for one test; most tests run side by side. */
export function watching(
  { onTestFinished }: TestContext,
  files: Parameters<typeof scratch>[0] = {},
  options: WatcherOptions = OFTEN,
): { place: Scratch; watcher: Watcher } {
  const place = scratch(files, onTestFinished);
  const watcher = createWatcher(options);
  onTestFinished(() => watcher.close());
  return { place, watcher };
}

/** Waits until so many watches of the system are established. */
export const established = (watcher: Watcher, count: number): Promise<void> =>
  until(`${count} watches of the system are established`, () => watcher.watched === count);

export interface Listening {
  readonly count: number;
  /** Makes the change, and waits for a notice after it. */
  hears(what: string, change: () => void): Promise<void>;
  stop(): void;
}

export function listen(watcher: Watcher, sandbox: Sandbox, path: string): Listening {
  let count = 0;
  const stop = watcher.watch(sandbox, path, () => {
    count += 1;
  });
  return {
    get count() {
      return count;
    },
    async hears(what, change) {
      const before = count;
      change();
      await until(what, () => count > before);
    },
    stop,
  };
}

/**
 * Call this after the subscriptions of the test. The function that it returns waits until notices have arrived of changes that it makes itself,
 * in a folder of its own: by a watch of the system, whose events are in order, and by two rounds of checks. Whatever had to be notified
 * before has been notified then.
 */
export async function sentinels(context: TestContext, watcher: Watcher): Promise<() => Promise<void>> {
  const { place, watcher: native } = watching(context, { f: "" }, NO_LOOKS);
  const sandbox = await place.sandbox();
  const byWatch = listen(native, sandbox, place.at("f"));
  // The system watches nothing below a folder that is missing: only a check finds that it was created.
  const names = Array.from({ length: 6 }, (_, at) => place.at(`missing${at}`));
  const byCheck = names.map((name) => ({ name, listening: listen(watcher, sandbox, `${name}/f`) }));
  await established(native, 1);
  return async () => {
    await byWatch.hears("sentinel of the system's watch", () => appendFileSync(place.at("f"), "x"));
    for (const { name, listening } of byCheck.splice(0, 2)) {
      mkdirSync(name);
      await listening.hears("sentinel of the checks", () => writeFileSync(`${name}/f`, ""));
    }
  };
}
