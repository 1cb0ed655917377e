// Scans all entries below an open directory before it is copied or deleted: the caller counts them, and refuses some.
import { lstatSync, readdirSync, type BigIntStats } from "node:fs";
import { clip, yieldToEventLoop } from "@oarlock/domain-kit";
import type { FolderHandle } from "../access/sandbox.ts";
import { joinPath } from "../access/path-syntax.ts";
import { DiskError, fromSystem, notUtf8 } from "../errors.ts";

/** The most entries for one call. */
export const MAX_ENTRIES = 1_000_000;
/** Each level holds a handle. */
export const MAX_LEVELS = 256;
/** Entries between two pauses for other calls. */
const AT_ONCE = 256;

interface Below {
  /** Absolute, for messages and checks; never for opening. */
  readonly path: string;
  readonly stat: BigIntStats;
}

/** Called for an entry and the directory that has it. Returns false to skip a directory. */
type Look = (below: Below, within: FolderHandle) => boolean;

/** Calls `look` for each entry, with those of a directory right after it. Links are not followed. */
export async function lookThrough(folder: FolderHandle, look: Look, signal?: AbortSignal): Promise<void> {
  await level(folder, look, { entries: 0, signal }, 0);
}

interface Run {
  entries: number;
  readonly signal: AbortSignal | undefined;
}

async function level(folder: FolderHandle, look: Look, run: Run, depth: number): Promise<void> {
  if (depth > MAX_LEVELS) throw new DiskError("too-large", `Directory too deep: expected at most ${MAX_LEVELS} levels.`);
  for (const name of namingErrors(folder, () => readdirSync(folder.self))) {
    run.entries += 1;
    if (run.entries > MAX_ENTRIES) throw new DiskError("too-large", `Directory too large: expected at most ${MAX_ENTRIES} entries.`);
    if (run.entries % AT_ONCE === 0) {
      await yieldToEventLoop(run.signal);
    }
    const stat = namingErrors(folder, () => lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false }));
    if (stat === undefined) {
      if (name.includes("\ufffd")) throw notUtf8(name);
      continue; // gone since a moment ago
    }
    if (!look({ path: below(folder, name), stat }, folder) || !stat.isDirectory()) continue;
    using child = folder.child(name);
    if (child === undefined)
      throw new DiskError("conflict", `Directory changed: another program changed ${clip(name)} in the meantime. Try again.`);
    await level(child, look, run, depth + 1);
  }
}

/** A directory may be unreadable, or readable for its names only. */
function namingErrors<T>(folder: FolderHandle, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw fromSystem(error, folder.path);
  }
}

/** The path of an entry, for messages and checks. */
export function below({ path }: FolderHandle, name: string): string {
  return joinPath(path, name);
}
