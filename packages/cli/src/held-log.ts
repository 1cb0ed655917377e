// What a server says while it is made waits until it is served: the first line of a start that fails says why it failed.
import type { LogSink } from "./stderr-log.ts";

export interface HeldLog {
  /** A sink that says nothing before the release, and all at once after it. */
  through(log: LogSink): LogSink;
  release(): void;
}

export function heldLog(): HeldLog {
  let held: (() => void)[] | undefined = [];
  return {
    through: (log) => (level, data) => (held === undefined ? log(level, data) : void held.push(() => log(level, data))),
    release() {
      const lines = held ?? [];
      held = undefined;
      for (const say of lines) say();
    },
  };
}
