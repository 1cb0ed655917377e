// Another program that acts while a write is under way, without a clock.
import { subscribe, unsubscribe } from "node:diagnostics_channel";

/** A signal that lets another program act once: at the first look whether the write was cancelled after it has the lock of this path. */
export function meanwhile(path: string, act: () => void): AbortSignal {
  let isLocked = false;
  const listener = (names: unknown): void => {
    if (!(names as string[]).includes(path)) return;
    isLocked = true;
    // The lock may be waited for, with looks of its own.
    unsubscribe("oarlock:changes", listener);
  };
  subscribe("oarlock:changes", listener);
  const throwIfAborted = (): void => {
    if (!isLocked) return;
    isLocked = false;
    act();
  };
  return Object.assign(new AbortController().signal, { throwIfAborted });
}
