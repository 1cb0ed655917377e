// The checks of health: databases and the disk below them, descriptors, the authorization server, and the engine behind --backplane.
import { openSync, readSync } from "node:fs";
import { access, constants, readdir, readFile, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Backplane } from "@oarlock/cluster/backplane";
import { quoted } from "../start/start-error.ts";
import type { HealthCheck } from "./health.ts";

/** A SQLite database that a server keeps. */
export interface WatchedStore {
  readonly file: string;
  /** The newest `user_version` that the server reads. Default: it reads all. */
  readonly maxFormat?: number;
  /** The server changes it, and needs files beside it. Default: false. */
  readonly write?: boolean;
}

/** A transaction of a few pages needs as much. */
const MIN_FREE_BYTES = 1024 * 1024;
const MAX_USED_DESCRIPTORS = 0.95;
const ISSUER_INTERVAL_MS = 10_000;
const DAMAGED = "is damaged. Stop the server and restore a backup.";
/** Characters of a list of files. */
const MAX_NAMES = 1000;

// https://sqlite.org/fileformat2.html#the_database_header
const HEADER_BYTES = 100;
const MAGIC = "SQLite format 3\0";
const USER_VERSION_AT = 60;

/**
 * Reads the first bytes of databases. A descriptor is never closed, and opened again only for another file of the name: on POSIX, closing any one
 * of a file ends all locks that this process has on it, those of SQLite too. https://sqlite.org/howtocorrupt.html
 */
class Headers {
  readonly #open = new Map<string, { readonly fd: number; readonly ino: bigint }>();

  /** Undefined where the file does not exist, or is empty, as before the first call. */
  async of(file: string): Promise<Buffer | undefined> {
    const ino = await stat(file, { bigint: true }).then(
      (found) => found.ino,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      },
    );
    if (ino === undefined) return undefined;
    let opened = this.#open.get(file);
    if (opened?.ino !== ino) this.#open.set(file, (opened = { fd: openSync(file, "r"), ino }));
    const bytes = Buffer.alloc(HEADER_BYTES);
    const length = readSync(opened.fd, bytes, 0, HEADER_BYTES, 0);
    return length === 0 ? undefined : bytes.subarray(0, length);
  }
}

/** `damaged`: files of which a call has found out since the start, the stores themselves or others that the server keeps for some callers. */
export function storeChecks(stores: readonly WatchedStore[], damaged: ReadonlySet<string> = new Set()): HealthCheck[] {
  if (stores.length === 0) return [];
  const own = new Set(stores.map(({ file }) => file));
  const headers = new Headers();
  const existed = new Set<string>();
  const first = (problemOf: ProblemOf) => firstProblem(stores, problemOf);
  return [
    {
      name: "store",
      problem: () =>
        first(async ({ file }) => {
          const header = await headers.of(file);
          if (header === undefined) return existed.has(file) ? "is missing. Restore a backup." : undefined;
          existed.add(file);
          if (damaged.has(file)) return DAMAGED;
          return header.toString("latin1", 0, MAGIC.length) === MAGIC ? undefined : DAMAGED;
        }),
    },
    {
      name: "content",
      staysReady: true,
      async problem() {
        const others = [...damaged].filter((file) => !own.has(file));
        return others.length === 0 ? undefined : `of ${others.map(quoted).join(", ").slice(0, MAX_NAMES)} is damaged. Restore a backup.`;
      },
    },
    {
      name: "format",
      problem: () =>
        first(async ({ file, maxFormat = Infinity }) => {
          const header = await headers.of(file);
          if (header?.length !== HEADER_BYTES || header.toString("latin1", 0, MAGIC.length) !== MAGIC) return undefined;
          const format = header.readUInt32BE(USER_VERSION_AT);
          if (format <= maxFormat) return undefined;
          return `has format ${format}, and this server reads up to format ${maxFormat}: a newer server has upgraded it. Update this server.`;
        }),
    },
    diskCheck(stores),
  ];
}

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

/** Where the system tells how many descriptors a process has: on Linux. */
export function descriptorCheck(folder = "/proc/self"): HealthCheck {
  return {
    name: "descriptors",
    async problem() {
      const limits = await readFile(`${folder}/limits`, "utf8").catch(() => undefined);
      const most = Number(/^Max open files\s+(\d+)/m.exec(limits ?? "")?.[1] ?? Infinity);
      if (most === Infinity) return undefined;
      const { length } = await readdir(`${folder}/fd`);
      return length > most * MAX_USED_DESCRIPTORS ? `run out: ${length} of ${most} are open. Raise LimitNOFILE.` : undefined;
    },
  };
}

/** Whether an HTTP answer comes from there, whatever it is: keys are read, and refused, elsewhere. */
export function issuerCheck(issuer: string): HealthCheck {
  let [checkedAt, last] = [-Infinity, undefined as string | undefined];
  return {
    name: "issuer",
    staysReady: true,
    async problem() {
      if (performance.now() - checkedAt < ISSUER_INTERVAL_MS && last === undefined) return undefined;
      last = await fetch(issuer, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(900) }).then(
        () => undefined,
        (error: unknown) => `${issuer} cannot be reached: ${causeOf(error)}. Check the address, its certificate and the network.`,
      );
      checkedAt = performance.now();
      return last;
    },
  };
}

function causeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string } }; // of fetch
  return cause?.code ?? (error instanceof Error ? error.name : "no answer");
}

export const backplaneCheck = (backplane: Pick<Backplane, "get">): HealthCheck => ({
  name: "backplane",
  staysReady: true,
  async problem() {
    return await backplane.get("readiness").then(
      () => undefined,
      () => "does not answer. Check the engine.",
    );
  },
});
