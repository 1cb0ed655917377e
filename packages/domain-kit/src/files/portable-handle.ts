// Handles on systems without a usable /proc (macOS, Windows). They are weaker: Node has no call that opens relative to a directory, so
// an object is remembered by its path, device and inode, and compared again, with the directories above it, before and after it is used. A
// program that swaps a directory twice between two of these comparisons can make a call land elsewhere.
import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync, type BigIntStats } from "node:fs";
import { dirname, sep } from "node:path";
import type { HandleProvider, RawHandle } from "./raw-handle.ts";
import { notAFolder, ReplacedError } from "./replaced-error.ts";

export const portableHandles: HandleProvider = {
  base: (path) => new PortableHandle(path),
  enter(from, name) {
    const handle = portableHandles.step(from, name);
    if (!handle.stat.isDirectory()) throw notAFolder(handle.self);
    if (!handle.isInPlace()) throw new ReplacedError();
    return handle;
  },
  step(from, name) {
    const above = from instanceof PortableHandle ? from : undefined;
    return name === ".." ? new PortableHandle(dirname(from.self), above?.above?.above) : new PortableHandle(from.at(name), above);
  },
};

class PortableHandle implements RawHandle {
  readonly stat: BigIntStats;
  readonly self: string;
  readonly above: PortableHandle | undefined;

  constructor(path: string, above?: PortableHandle) {
    this.self = path;
    this.above = above;
    this.stat = lstatSync(path, { bigint: true });
  }

  at(name: string): string {
    return this.self.endsWith(sep) ? this.self + name : this.self + sep + name;
  }

  open(flags: number): number {
    // Windows knows neither flag; they are undefined there and count as nothing.
    const fd = openSync(this.self, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      if (isSame(fstatSync(fd, { bigint: true }), this.stat) && this.isInPlace()) return fd;
      throw new ReplacedError();
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  realPath(): string {
    return realpathSync.native(this.self);
  }

  isInPlace(): boolean {
    const now = lstatSync(this.self, { bigint: true, throwIfNoEntry: false });
    return now !== undefined && isSame(now, this.stat) && (this.above === undefined || this.above.isInPlace());
  }

  release(): void {
    // Nothing is open.
  }
}

const isSame = (one: BigIntStats, other: BigIntStats): boolean => one.dev === other.dev && one.ino === other.ino;
