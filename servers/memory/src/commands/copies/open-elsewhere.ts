// Which process has a file open, where SQLite cannot tell because the file is damaged.
import { readdirSync, readlinkSync, realpathSync } from "node:fs";

/** The number of the process; undefined where /proc names none: on other systems than Linux, and for processes of other users. */
export function processWithOpen(file: string): number | undefined {
  const path = realpathSync(file);
  const processes = attempt(() => readdirSync("/proc"), []).filter((name) => /^\d+$/.test(name));
  const holder = processes.find((id) =>
    attempt(() => readdirSync(`/proc/${id}/fd`), []).some((fd) => attempt(() => readlinkSync(`/proc/${id}/fd/${fd}`), "") === path),
  );
  return holder === undefined ? undefined : Number(holder);
}

/** A process may end while it is looked at. */
function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
