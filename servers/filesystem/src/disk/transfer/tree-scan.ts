// Everything below a held directory, looked at before it is copied or deleted as a whole: the caller counts, and refuses.
import { lstatSync, readdirSync, type BigIntStats } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { clip } from "@oarlock/domain-kit";
import type { FolderHandle } from "../access/area.ts";
import { DiskError, fromSystem, notUtf8 } from "../errors.ts";

/** More than this is no work for one call. */
export const MOST_ENTRIES = 1_000_000;
/** Each level holds a handle. */
export const MOST_LEVELS = 256;
/** Entries between two moments in which other calls get their turn. */
const AT_ONCE = 256;

interface Below {
  /** Absolute, to show and to judge; never to open. */
  readonly path: string;
  readonly stat: BigIntStats;
}

/** Calls `look` for each entry, those of a directory right after it; false passes an entry over. Links are not followed. */
export async function lookThrough(folder: FolderHandle, look: (below: Below) => boolean, signal?: AbortSignal): Promise<void> {
  await level(folder, look, { entries: 0, signal }, 0);
}

interface Run {
  entries: number;
  readonly signal: AbortSignal | undefined;
}

async function level(folder: FolderHandle, look: (below: Below) => boolean, run: Run, depth: number): Promise<void> {
  if (depth > MOST_LEVELS) throw new DiskError("too-large", `The directory is nested deeper than ${MOST_LEVELS} levels.`);
  for (const name of asked(folder, () => readdirSync(folder.self))) {
    run.entries += 1;
    if (run.entries > MOST_ENTRIES) throw new DiskError("too-large", `The directory holds more than ${MOST_ENTRIES} entries.`);
    if (run.entries % AT_ONCE === 0) {
      await setImmediate();
      run.signal?.throwIfAborted();
    }
    const stat = asked(folder, () => lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false }));
    if (stat === undefined) {
      if (name.includes("\ufffd")) throw notUtf8(name);
      continue; // gone since a moment ago
    }
    if (!look({ path: below(folder, name), stat }) || !stat.isDirectory()) continue;
    using child = folder.child(name);
    if (child === undefined) throw new DiskError("conflict", `The directory changed in the meantime: ${clip(name)}`);
    await level(child, look, run, depth + 1);
  }
}

/** A directory may be closed to us, or open for its names alone. */
function asked<T>(folder: FolderHandle, ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    throw fromSystem(error, folder.path);
  }
}

/** The path of an entry, to show and to judge. */
export function below({ path }: FolderHandle, name: string): string {
  return path.endsWith("/") ? path + name : `${path}/${name}`;
}
