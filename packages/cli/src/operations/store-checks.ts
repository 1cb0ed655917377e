// The checks of databases: their files, what calls have found wrong with them, their format, and the disk below them.
import { openSync, readSync } from "node:fs";
import { access, constants, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { quoted } from "../start/start-error.ts";
import type { HealthCheck } from "./health.ts";
import { FAULT_TEXTS, type StoreFault, type StoreFaults } from "./store-faults.ts";

/** A SQLite database that a server keeps. */
export interface WatchedStore {
  readonly file: string;
  /** The newest `user_version` that the server reads. Default: it reads all. */
  readonly maxFormat?: number;
  /** The server changes it, and needs files beside it. Default: false. */
  readonly write?: boolean;
  /** The server keeps the file open: once another file has its name, calls fail. Default: it opens the other one. */
  readonly keepsFile?: boolean;
}

/** A transaction of a few pages needs as much. */
const MIN_FREE_BYTES = 1024 * 1024;
/** A file that is being written has its pages within this time. */
const SETTLED_MS = 1000;
/** Characters of a list of files. */
const MAX_NAMES = 1000;

// https://sqlite.org/fileformat2.html#the_database_header
const HEADER_BYTES = 100;
const MAGIC = "SQLite format 3\0";
const PAGE_SIZE_AT = 16;
const PAGE_COUNT_AT = 28;
const CHANGES_AT = 24;
const USER_VERSION_AT = 60;
const COUNTED_CHANGES_AT = 92;
/** The largest size of a page, which does not fit into the two bytes for it, stands there as 1. */
const LARGEST_PAGE_SIZE = 65_536;

/** A file as it was looked at last. */
interface LookedAt {
  readonly fd: number;
  readonly ino: bigint;
  readonly size: number;
  readonly header: Buffer;
  /** When it was found like that first. */
  readonly since: number;
}

/**
 * Reads the first bytes of databases. A descriptor is never closed, and opened again only for another file of the name: on POSIX, closing any one
 * of a file ends all locks that this process has on it, those of SQLite too. https://sqlite.org/howtocorrupt.html
 */
class Headers {
  readonly #known = new Map<string, LookedAt>();

  /** Undefined where the file does not exist. */
  async of(file: string): Promise<LookedAt | "not a file" | undefined> {
    const found = await stat(file, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (found === undefined) return undefined;
    if (!found.isFile()) return "not a file";
    const before = this.#known.get(file);
    const fd = before?.ino === found.ino ? before.fd : openSync(file, "r");
    const bytes = Buffer.alloc(HEADER_BYTES);
    const header = bytes.subarray(0, readSync(fd, bytes, 0, HEADER_BYTES, 0));
    const size = Number(found.size);
    const isUnchanged = before?.size === size && before.header.equals(header);
    const known = { fd, ino: found.ino, size, header, since: isUnchanged ? before.since : performance.now() };
    this.#known.set(file, known);
    return known;
  }
}

const hasMagic = (header: Buffer): boolean => header.toString("latin1", 0, MAGIC.length) === MAGIC;

/** Whether the file has fewer bytes than its header counts, and no program is writing the others. */
const isCut = ({ header, size, since }: LookedAt, settledMs: number): boolean =>
  size < countedBytes(header) && performance.now() - since >= settledMs;

/** The size of the file, in bytes, as its header has it; 0 where an old program has not kept that up to date. */
function countedBytes(header: Buffer): number {
  if (header.length < HEADER_BYTES || header.readUInt32BE(CHANGES_AT) !== header.readUInt32BE(COUNTED_CHANGES_AT)) return 0;
  const pageSize = header.readUInt16BE(PAGE_SIZE_AT);
  return header.readUInt32BE(PAGE_COUNT_AT) * (pageSize === 1 ? LARGEST_PAGE_SIZE : pageSize);
}

/** `faults`: what calls have found out, of the stores themselves and of others that the server keeps for some callers. */
export function storeChecks(
  stores: readonly WatchedStore[],
  faults: Pick<StoreFaults, "of" | "files" | "gauges"> = NO_FAULTS,
  settledMs = SETTLED_MS,
): HealthCheck[] {
  if (stores.length === 0) return [];
  const own = new Set(stores.map(({ file }) => file));
  const headers = new Headers();
  const first = (problemOf: ProblemOf) => firstProblem(stores, problemOf);
  const firstInode = new Map<string, bigint>();
  return [
    {
      name: "store",
      problem: () =>
        first(async ({ file, keepsFile = false }) => {
          const found = await headers.of(file);
          const existed = firstInode.has(file);
          if (found === undefined) return existed ? "is missing. Put the file back, or restore a backup." : undefined;
          if (found === "not a file") return "is not a file: something else has its name. Remove it, and put the file back.";
          const { header, ino } = found;
          // As before the first call.
          if (header.length === 0) return existed ? "is empty. Stop the server and restore a backup." : undefined;
          if (!existed) firstInode.set(file, ino);
          const fault = keepsFile && ino !== firstInode.get(file) ? "moved" : faults.of(file);
          if (fault !== undefined) return FAULT_TEXTS[fault];
          return hasMagic(header) && !isCut(found, settledMs) ? undefined : FAULT_TEXTS.damaged;
        }),
    },
    {
      name: "content",
      staysReady: true,
      isLogged: true,
      async problem() {
        const others = [...faults.files].filter((file) => !own.has(file));
        return others.length === 0 ? undefined : `of ${others.map(quoted).join(", ").slice(0, MAX_NAMES)} cannot be used.`;
      },
      get gauges() {
        return faults.gauges;
      },
    },
    {
      name: "format",
      problem: () =>
        first(async ({ file, maxFormat = Infinity }) => {
          // The check of the store tells where it cannot be read.
          const found = await headers.of(file).catch(() => undefined);
          if (found === undefined || found === "not a file") return undefined;
          const { header } = found;
          if (header.length !== HEADER_BYTES || !hasMagic(header)) return undefined;
          const format = header.readUInt32BE(USER_VERSION_AT);
          if (format <= maxFormat) return undefined;
          return `has format ${format}, and this server reads up to format ${maxFormat}: a newer server has upgraded it. Update this server.`;
        }),
    },
    diskCheck(stores),
  ];
}

const NO_FAULTS = { of: (): StoreFault | undefined => undefined, files: [], gauges: [] };

type ProblemOf = (store: WatchedStore) => Promise<string | undefined>;

async function firstProblem(stores: readonly WatchedStore[], problemOf: ProblemOf): Promise<string | undefined> {
  for (const store of stores) {
    const problem = await problemOf(store);
    if (problem !== undefined) return `${quoted(store.file)} ${problem}`;
  }
  return undefined;
}

/** Room and rights in the folders of databases. */
function diskCheck(stores: readonly WatchedStore[]): HealthCheck {
  let leastFree: number | undefined;
  return {
    name: "disk",
    async problem() {
      const free: number[] = [];
      return await firstProblem(stores, async ({ file, write = false }) => {
        const { bavail, bsize } = await statfs(dirname(file));
        free.push(bavail * bsize);
        if (write && !(await isWritable(dirname(file))))
          return "is in a folder that this server may not write to. Give its user that right.";
        return bavail * bsize < MIN_FREE_BYTES ? `is on a full disk: ${bavail * bsize} bytes are free. Make room.` : undefined;
      }).finally(() => (leastFree = free.length === 0 ? undefined : Math.min(...free)));
    },
    get gauges() {
      return leastFree === undefined ? [] : [{ name: "oarlock_disk_free_bytes", help: "Least room beside a database.", value: leastFree }];
    },
  };
}

const isWritable = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
