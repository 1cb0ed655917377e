// Descriptor owner: the process that has something open, where /proc tells it: on Linux, of other users to root only.
import { readdirSync, readlinkSync } from "node:fs";

/** The number of a process with a descriptor whose link is accepted: the path of a file, or `socket:[INODE]`. */
export function processWithOpen(accepts: (link: string) => boolean): number | undefined {
  const processes = attempt(() => readdirSync("/proc"), []).filter((entry) => /^\d+$/.test(entry));
  const owner = processes.find((id) => {
    const folder = `/proc/${id}/fd`;
    return attempt(() => readdirSync(folder), []).some((fd) => accepts(attempt(() => readlinkSync(`${folder}/${fd}`), "")));
  });
  return owner === undefined ? undefined : Number(owner);
}

/** A process may end while it is looked at. */
function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
