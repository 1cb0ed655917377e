// Handles on systems without a usable /proc (macOS, Windows). They are weaker: Node has no call that opens relative to a directory, so
// an object is remembered by its path, device and inode, and compared again when it is opened. A program that swaps directories at the
// right moment can make a write land elsewhere. A read is refused then, because the opened file is compared before it is used.
import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync, type BigIntStats } from "node:fs";
import { dirname } from "node:path";
import { DiskError } from "../../errors.ts";
import type { HandleProvider, RawHandle } from "./raw-handle.ts";

export const portableHandles: HandleProvider = {
  base: (path) => new PortableHandle(path),
  step: (from, name) => new PortableHandle(name === ".." ? dirname(from.self) : from.at(name)),
};

class PortableHandle implements RawHandle {
  readonly stat: BigIntStats;
  readonly self: string;

  constructor(path: string) {
    this.self = path;
    this.stat = lstatSync(path, { bigint: true });
  }

  at(name: string): string {
    return this.self.endsWith("/") ? this.self + name : `${this.self}/${name}`;
  }

  open(flags: number): number {
    // Windows knows neither flag; they are undefined there and count as nothing.
    const fd = openSync(this.self, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const now = fstatSync(fd, { bigint: true });
    if (now.dev === this.stat.dev && now.ino === this.stat.ino) return fd;
    closeSync(fd);
    throw new DiskError("conflict", "File changed: another program replaced it while it was being opened. Try again.");
  }

  realPath(): string {
    return realpathSync.native(this.self);
  }

  release(): void {
    // Nothing is open.
  }
}
