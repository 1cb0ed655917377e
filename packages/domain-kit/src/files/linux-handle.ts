// Handles on Linux. O_PATH opens an object without its content: a FIFO does not block, and a device does nothing. Entries of a handle
// directory are reached through /proc/<pid>/fd/<n>, so it does not matter what has become of the name of the directory since.
import { closeSync, constants, fstatSync, openSync, readlinkSync, type BigIntStats } from "node:fs";
import { platform } from "../platform.ts";
import type { HandleProvider, RawHandle } from "./raw-handle.ts";

const O_PATH = 0o10000000; // not in fs.constants; the same number on every Linux that Node runs on

let descriptors: string | undefined;
let isUsable: boolean | undefined;

/** The folder of this process's descriptors. The number saves the step over the link "self"; it is wrong in another pid namespace. */
const descriptorFolder = (): string =>
  (descriptors ??= readlinkSync("/proc/self") === String(process.pid) ? `/proc/${process.pid}/fd/` : "/proc/self/fd/");

/** Whether this system has what the handles need. Tried once. */
export function canUseLinuxHandles(): boolean {
  return (isUsable ??= platform === "linux" && tryHandles());
}

function tryHandles(): boolean {
  try {
    const top = linuxHandles.base("/");
    const same = linuxHandles.step(top, ".");
    const works = same.realPath() === "/" && same.stat.ino === top.stat.ino;
    for (const handle of [top, same]) handle.release();
    return works;
  } catch {
    return false;
  }
}

export const linuxHandles: HandleProvider = {
  base: (path) => take(path, constants.O_DIRECTORY),
  enter: (from, name) => take(from.at(name), constants.O_DIRECTORY),
  step: (from, name) => take(from.at(name), 0),
};

function take(path: string, flags: number): RawHandle {
  const fd = openSync(path, O_PATH | constants.O_NOFOLLOW | flags);
  try {
    return new LinuxHandle(fd, fstatSync(fd, { bigint: true }));
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

class LinuxHandle implements RawHandle {
  readonly stat: BigIntStats;
  readonly self: string;
  readonly #fd: number;

  constructor(fd: number, stat: BigIntStats) {
    this.#fd = fd;
    this.stat = stat;
    this.self = descriptorFolder() + fd;
  }

  at(name: string): string {
    return `${this.self}/${name}`;
  }

  open(flags: number): number {
    return openSync(this.self, flags | constants.O_NONBLOCK);
  }

  realPath(): string {
    return readlinkSync(this.self);
  }

  isInPlace(): boolean {
    return true;
  }

  release(): void {
    closeSync(this.#fd);
  }
}
