// Which files and directories have no ACL and no extended attributes. The first write in a directory starts a program, which looks at the
// files beside it too; later writes compare identities, because a program takes 2 to 4 ms and a write less than one.
import { lstatSync, readdirSync, statSync, type BigIntStats } from "node:fs";
import type { Entry, FolderHandle } from "../access/sandbox.ts";
import { platform } from "../../platform.ts";
import { findAttributes, NOTHING, UNKNOWN, type Found } from "./attribute-programs.ts";

/** By identity and time of change, which any change of attributes renews. */
const plain = new Set<string>();
const MAX_PLAIN = 20_000;
/** Files that one run looks at. */
const MAX_SIBLINGS = 200;
/** A directory with a longer list of names is not read for them. */
const MAX_LIST_BYTES = 65_536n;

const identityOf = ({ dev, ino, ctimeNs }: BigIntStats): string => `${dev} ${ino} ${ctimeNs}`;
const isKnown = (stat: BigIntStats): boolean => plain.has(identityOf(stat));

export const isPlain = ({ acl, others }: Found): boolean => acl === false && !others;

/** What a file has, with what new files in the directory `into` inherit. Begins to look at once. */
export function attributesOf(file: Entry, stat: BigIntStats, into: FolderHandle): Promise<Found> | Found {
  if (platform !== "linux") return NOTHING;
  const directory = statSync(into.self, { bigint: true });
  return isKnown(stat) && isKnown(directory) ? NOTHING : readAttributes(file, stat, into, directory);
}

/** Remembers a new file that has inherited nothing and got nothing. */
export function rememberPlain(stat: BigIntStats): void {
  if (platform === "linux") remember(stat);
}

/** Whether new files in the directory inherit nothing, as it was looked at and has not changed since. */
export const isPlainDirectory = (directory: FolderHandle): boolean =>
  platform !== "linux" || isKnown(statSync(directory.self, { bigint: true }));

/**
 * Adds or removes entries of the directory, which renews its time of change. What is known of it stays known, unless another program has
 * changed it before: that may have been its default ACL.
 */
export function changeEntries<T>(directory: FolderHandle, change: () => T): T {
  const wasPlain = isPlainDirectory(directory);
  const result = change();
  if (wasPlain && platform === "linux") remember(statSync(directory.self, { bigint: true }));
  return result;
}

async function readAttributes({ parent, name }: Entry, stat: BigIntStats, into: FolderHandle, directory: BigIntStats): Promise<Found> {
  const path = parent.at(name);
  // In another namespace of processes the programs would find other handles under the same path.
  if (path.startsWith("/proc/self/")) return UNKNOWN;
  const siblings = isKnown(stat) ? new Map<string, BigIntStats>() : siblingsOf(parent, name);
  let found = await findAttributes([path, ...siblings.keys()], into.self);
  // One of the others may just have been removed.
  if (found[0]?.acl === undefined && siblings.size > 0) found = await findAttributes([path], into.self);
  const [own = UNKNOWN, inherited = UNKNOWN] = [found[0], found.at(-1)];
  if (!isStill(path, stat)) return UNKNOWN;
  if (isPlain(inherited)) remember(directory);
  if (isPlain(own)) remember(stat);
  if (found.length === siblings.size + 2) {
    const stats = [...siblings.values()];
    for (const [index, one] of found.slice(1, -1).entries()) if (isPlain(one)) remember(...stats.slice(index, index + 1));
  }
  const acl = own.acl === true || inherited.acl === true || (own.acl === undefined || inherited.acl === undefined ? undefined : false);
  return { acl, others: own.others };
}

/** Other files in the directory that are not known, by their paths. Their stats are older than the look, so a later change is noticed. */
function siblingsOf(parent: FolderHandle, name: string): Map<string, BigIntStats> {
  const siblings = new Map<string, BigIntStats>();
  try {
    if (parent.stat.size > MAX_LIST_BYTES) return siblings;
    for (const other of readdirSync(parent.self, { withFileTypes: true })) {
      if (siblings.size === MAX_SIBLINGS) break;
      // getfattr writes other names with escapes.
      if (!other.isFile() || other.name === name || !/^[\w.-]+$/.test(other.name)) continue;
      const stat = lookAt(parent.at(other.name));
      if (stat !== undefined && !isKnown(stat)) siblings.set(parent.at(other.name), stat);
    }
  } catch {
    // A directory that cannot be read, only entered.
  }
  return siblings;
}

/** Whether a path, which a program has followed, leads to the file still. */
export function isStill(path: string, { dev, ino }: BigIntStats): boolean {
  const now = lookAt(path);
  return now?.ino === ino && now.dev === dev;
}

function lookAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

function remember(...stats: readonly BigIntStats[]): void {
  if (plain.size > MAX_PLAIN) plain.clear();
  for (const stat of stats) plain.add(identityOf(stat));
}
