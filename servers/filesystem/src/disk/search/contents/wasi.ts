// The system as the WebAssembly ripgrep sees it (WASI preview 1): a directory or some files that are held open here, to be read and
// nothing else. A link is never followed, a path never climbs, and there is no environment and no input.
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync, type BigIntStats, type Dirent } from "node:fs";
import { randomFillSync } from "node:crypto";
import type { Ground } from "./engine.ts";

const OK = 0;
const BAD_HANDLE = 8;
const IO = 29;
const NO_ENTRY = 44;
const NOT_SUPPORTED = 58;
const [NO_ACCESS, INVALID] = [2, 28];

const [DEVICE, DIRECTORY, FILE, LINK, UNKNOWN] = [2, 3, 4, 7, 0];
const HEAD_BYTES = 24;
/** The one directory that ripgrep is given; 0 to 2 are its streams. */
const TOP = 3;
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

interface Open {
  readonly type: number;
  /** Below the top; directories are read by it. */
  readonly path: Buffer;
  readonly fd?: number;
  /** Ours to close. */
  readonly own?: boolean;
  position: number;
  entries?: readonly Dirent<Buffer>[];
}

export class Exit extends Error {
  readonly code: number;
  constructor(code: number) {
    super("exit");
    this.code = code;
  }
}

type Calls = Record<string, (...args: never[]) => number>;

/** The functions that ripgrep imports; `memory` is known only once it runs. */
export function systemFor(
  args: readonly string[],
  ground: Ground,
  memory: () => ArrayBuffer,
  write: (stream: number, bytes: Uint8Array<ArrayBuffer>) => void,
): Calls {
  const words = ["rg", ...args].map((word) => Buffer.from(`${word}\0`));
  const handles: (Open | undefined)[] = [undefined, undefined, undefined, { type: DIRECTORY, path: Buffer.alloc(0), position: 0 }];
  const view = () => new DataView(memory());
  const bytes = (at: number, length: number) => Buffer.from(memory(), at, length);
  const under = (path: Buffer) => Buffer.concat([Buffer.from(`${"folder" in ground ? ground.folder : ""}/`), path]);

  /** A held file by its number, or the way below the folder. */
  const find = (path: Buffer): { fd: number } | { at: Buffer } => {
    if ("folder" in ground) return { at: under(path) };
    const fd = ground.fds[Number(path.toString().replace(/^[./]+/, ""))];
    if (fd === undefined) throw Object.assign(new Error("no such file"), { code: "ENOENT" });
    return { fd };
  };
  /** Below the top, from a path below an open directory. */
  const pathAt = (handle: number, at: number, length: number): Buffer => {
    const open = handles[handle];
    const path = bytes(at, length);
    if (open?.type !== DIRECTORY || path.toString("latin1").split("/").includes("..")) throw refusedPath();
    return Buffer.concat([open.path, Buffer.from("/"), path]);
  };
  const isTop = (path: Buffer) => /^[./]*$/.test(path.toString("latin1"));

  const list = (at: number, size: number, put: (at: number, item: Buffer) => void) => (listAt: number, bytesAt: number) => {
    let next = bytesAt;
    for (const [index, word] of words.entries()) {
      view().setUint32(listAt + index * at, next, true);
      put(next, word);
      next += word.length;
    }
    return size;
  };

  const calls = {
    proc_exit(code: number): number {
      throw new Exit(code);
    },
    sched_yield: () => OK,
    poll_oneoff: () => NOT_SUPPORTED,
    fd_fdstat_set_flags: () => OK,
    path_readlink: () => INVALID,
    args_sizes_get(countAt: number, sizeAt: number) {
      view().setUint32(countAt, words.length, true);
      view().setUint32(sizeAt, Buffer.concat(words).length, true);
      return OK;
    },
    args_get: list(4, OK, (at, word) => bytes(at, word.length).set(word)),
    environ_sizes_get(countAt: number, sizeAt: number) {
      view().setUint32(countAt, 0, true);
      view().setUint32(sizeAt, 0, true);
      return OK;
    },
    environ_get: () => OK,
    clock_time_get(_clock: number, _precision: bigint, timeAt: number) {
      view().setBigUint64(timeAt, process.hrtime.bigint(), true);
      return OK;
    },
    random_get(at: number, length: number) {
      randomFillSync(bytes(at, length));
      return OK;
    },
    fd_prestat_get(handle: number, at: number) {
      if (handle !== TOP) return BAD_HANDLE;
      view().setUint8(at, 0);
      view().setUint32(at + 4, 1, true);
      return OK;
    },
    fd_prestat_dir_name(handle: number, at: number) {
      if (handle !== TOP) return BAD_HANDLE;
      bytes(at, 1).write(".");
      return OK;
    },
    fd_fdstat_get(handle: number, at: number) {
      const type = handle < TOP ? DEVICE : handles[handle]?.type;
      if (type === undefined) return BAD_HANDLE;
      bytes(at, 24).fill(0);
      view().setUint8(at, type);
      for (const rights of [8, 16]) view().setBigUint64(at + rights, ~0n, true);
      return OK;
    },
    fd_filestat_get(handle: number, at: number) {
      const open = handles[handle];
      if (open?.fd !== undefined) putStat(view(), at, fstatSync(open.fd, { bigint: true }));
      else if (open) putStat(view(), at, { dev: 0n, ino: 0n, nlink: 1n, size: 0n, type: DIRECTORY });
      else putStat(view(), at, { dev: 0n, ino: 0n, nlink: 1n, size: 0n, type: DEVICE });
      return OK;
    },
    path_filestat_get(handle: number, _flags: number, pathAtByte: number, length: number, at: number) {
      const path = pathAt(handle, pathAtByte, length);
      if (isTop(path)) return calls.fd_filestat_get(TOP, at);
      const found = find(path);
      putStat(view(), at, "fd" in found ? fstatSync(found.fd, { bigint: true }) : lstatSync(found.at, { bigint: true }));
      return OK;
    },
    path_open(
      handle: number,
      _lookup: number,
      pathAtByte: number,
      length: number,
      _open: number,
      _rights: bigint,
      _inheriting: bigint,
      _flags: number,
      at: number,
    ) {
      const path = pathAt(handle, pathAtByte, length);
      view().setUint32(at, handles.push(isTop(path) ? { type: DIRECTORY, path, position: 0 } : opened(path, find(path))) - 1, true);
      return OK;
    },
    fd_close(handle: number) {
      const open = handles[handle];
      if (open === undefined) return BAD_HANDLE;
      if (open.own === true && open.fd !== undefined) closeSync(open.fd);
      handles[handle] = undefined;
      return OK;
    },
    fd_read(handle: number, partsAt: number, parts: number, readAt: number) {
      let total = 0;
      const open = handles[handle];
      // There is no input.
      if (open?.fd === undefined) return BAD_HANDLE;
      for (let part = 0; part < parts; part += 1) {
        const into = bytes(view().getUint32(partsAt + part * 8, true), view().getUint32(partsAt + part * 8 + 4, true));
        const read = readSync(open.fd, into, 0, into.length, open.position);
        open.position += read;
        total += read;
        if (read < into.length) break;
      }
      view().setUint32(readAt, total, true);
      return OK;
    },
    fd_write(handle: number, partsAt: number, parts: number, writtenAt: number) {
      if (handle !== 1 && handle !== 2) return BAD_HANDLE;
      let total = 0;
      for (let part = 0; part < parts; part += 1) {
        const from = bytes(view().getUint32(partsAt + part * 8, true), view().getUint32(partsAt + part * 8 + 4, true));
        write(handle, new Uint8Array(from));
        total += from.length;
      }
      view().setUint32(writtenAt, total, true);
      return OK;
    },
    fd_seek(handle: number, offset: bigint, whence: number, at: number) {
      const open = handles[handle];
      if (open?.fd === undefined) return BAD_HANDLE;
      const base = whence === 0 ? 0 : whence === 1 ? open.position : fstatSync(open.fd).size;
      if (base + Number(offset) < 0) return INVALID;
      open.position = base + Number(offset);
      view().setBigUint64(at, BigInt(open.position), true);
      return OK;
    },
    fd_readdir(handle: number, at: number, room: number, cookie: bigint, usedAt: number) {
      const open = handles[handle];
      if (open?.type !== DIRECTORY) return BAD_HANDLE;
      open.entries ??= "folder" in ground ? readdirSync(under(open.path), { withFileTypes: true, encoding: "buffer" }) : [];
      let used = 0;
      for (let index = Number(cookie); index < open.entries.length && used < room; index += 1) {
        const entry = open.entries[index];
        if (entry === undefined) break;
        const record = Buffer.alloc(HEAD_BYTES + entry.name.length);
        record.writeBigUInt64LE(BigInt(index + 1), 0);
        record.writeUInt32LE(entry.name.length, 16);
        record.writeUInt8(typeOf(entry), 20);
        record.set(entry.name, HEAD_BYTES);
        // A record that does not fit is cut: the caller sees a full buffer and asks again from its place.
        const part = record.subarray(0, room - used);
        bytes(at + used, part.length).set(part);
        used += part.length;
      }
      view().setUint32(usedAt, used, true);
      return OK;
    },
  };
  return guarded(calls);
}

const refusedPath = (): Error => Object.assign(new Error("outside"), { code: "EACCES" });

function opened(path: Buffer, found: { fd: number } | { at: Buffer }): Open {
  if ("fd" in found) return { type: FILE, path, fd: found.fd, position: 0 };
  const fd = openSync(found.at, FLAGS);
  const stat = fstatSync(fd);
  if (stat.isFile()) return { type: FILE, path, fd, own: true, position: 0 };
  closeSync(fd);
  if (stat.isDirectory()) return { type: DIRECTORY, path, position: 0 };
  throw Object.assign(new Error("not a regular file"), { code: "EACCES" });
}

interface Kind {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

const typeOf = (entry: Kind): number => (entry.isFile() ? FILE : entry.isDirectory() ? DIRECTORY : entry.isSymbolicLink() ? LINK : UNKNOWN);

type Facts = Pick<BigIntStats, "dev" | "ino" | "nlink" | "size">;

function putStat(view: DataView, at: number, stat: (Facts & Kind) | (Facts & { type: number })): void {
  for (let offset = 0; offset < 64; offset += 8) view.setBigUint64(at + offset, 0n, true);
  view.setBigUint64(at, BigInt.asUintN(64, stat.dev), true);
  view.setBigUint64(at + 8, BigInt.asUintN(64, stat.ino), true);
  view.setUint8(at + 16, "type" in stat ? stat.type : typeOf(stat));
  view.setBigUint64(at + 24, stat.nlink, true);
  view.setBigUint64(at + 32, stat.size, true);
}

/** The system's errors as numbers; all others end the run. */
function guarded(calls: Calls): Calls {
  const made: Calls = {};
  for (const [name, call] of Object.entries(calls)) {
    made[name] = (...args) => {
      try {
        return call(...args);
      } catch (error) {
        if (error instanceof Exit || !(error instanceof Error) || !("code" in error)) throw error;
        return error.code === "ENOENT" ? NO_ENTRY : error.code === "EACCES" || error.code === "EPERM" ? NO_ACCESS : IO;
      }
    };
  }
  return made;
}
