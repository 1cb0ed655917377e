// Names as their directories store them. Many file systems find one entry by several spellings: in other capitals (NTFS, APFS, FAT, and what
// Linux mounts of them: USB sticks, Windows below WSL, a Mac below a container), composed otherwise (APFS), or by a short name
// (REFERE~1). Boundaries are judged by the stored name. The path that the system reports of an open object does not prove it: Linux, and macOS
// for some file systems, repeat the spelling of the lookup. Only the listing of the directory tells.
import { lstatSync, readdirSync, type BigIntStats } from "node:fs";
import type { RawHandle } from "@oarlock/domain-kit";

/** What is found of a directory with a stat is remembered. */
type Directory = Pick<RawHandle, "at" | "self"> & Partial<Pick<RawHandle, "stat">>;

/** The stored name of an entry that was found by `name`. Undefined where it cannot be determined. */
export function storedName(directory: Directory, name: string, found: BigIntStats): string | undefined {
  if (isOnlySpelling(directory, name)) return name;
  if (!isShortName(name) && !spellingsOf(name).some((other) => mayBeSame(directory, name, other, found))) return name;
  let names: string[];
  try {
    names = readdirSync(directory.self);
  } catch {
    return undefined;
  }
  if (names.includes(name)) return name;
  const isSame = (other: string): boolean => isSameObject(lookAt(directory, other), found);
  const folded = fold(name);
  const alike = names.filter((other) => fold(other) === folded && isSame(other));
  // A short name looks like no other; a second hard link in the same directory makes it ambiguous.
  const same = alike.length > 0 ? alike : names.filter(isSame);
  return same.length === 1 ? same[0] : undefined;
}

/** The stored name of an entry, or the name itself if there is none. Undefined where it cannot be determined. */
export function storedOrNew(directory: Directory, name: string): string | undefined {
  if (isOnlySpelling(directory, name)) return name;
  const found = lookAt(directory, name);
  return found === undefined ? name : storedName(directory, name, found);
}

const isAscii = (name: string): boolean => /^[\0-\u007f]*$/.test(name);

/** As Windows generates them: at most eight characters with a number behind the tilde, a dot, and three. */
const isShortName = (name: string): boolean => name.length <= 12 && /~\d/.test(name);

/** The other spellings that tell whether a file system distinguishes them: capitals exchanged, and the other form of Unicode. */
function spellingsOf(name: string): string[] {
  const swapped = name.replace(/[a-z]/gi, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase()));
  const capitals = swapped === name ? [name.toUpperCase(), name.toLowerCase()] : [swapped];
  return [...capitals, name.normalize("NFC"), name.normalize("NFD")].filter((other) => other !== name);
}

const MAX_REMEMBERED = 4096;
/** Directories in which names that differ in ASCII capitals are different names: `device:inode:birth`. */
const distinguishing = new Set<string>();

const identityOf = ({ dev, ino, birthtimeNs }: BigIntStats): string => `${dev}:${ino}:${birthtimeNs}`;

/** Whether it is known, without a look, that no other name leads to the entry. */
const isOnlySpelling = ({ stat }: Directory, name: string): boolean =>
  stat !== undefined && isAscii(name) && !isShortName(name) && distinguishing.has(identityOf(stat));

/** Whether `other` leads to the same object, as a second spelling does (and a second hard link). */
function mayBeSame(directory: Directory, name: string, other: string, found: BigIntStats): boolean {
  const isOnlyCase = /[a-z]/i.test(name) && other.toLowerCase() === name.toLowerCase();
  const { stat } = directory;
  const identity = isOnlyCase && stat !== undefined ? identityOf(stat) : undefined;
  if (identity !== undefined && distinguishing.has(identity)) return false;
  let isSame: boolean;
  try {
    isSame = isSameObject(statOf(directory, other), found);
  } catch {
    return true; // it cannot be determined here
  }
  // A missing entry reveals nothing about the directory.
  if (isSame || identity === undefined || !isSameObject(lookAt(directory, name), found)) return isSame;
  if (distinguishing.size >= MAX_REMEMBERED) distinguishing.clear();
  distinguishing.add(identity);
  return false;
}

/** A form in which spellings of one name are equal; different names may be, too. */
const fold = (name: string): string => name.normalize("NFD").toUpperCase().toLowerCase().normalize("NFD");

const statOf = (directory: Directory, name: string): BigIntStats | undefined =>
  lstatSync(directory.at(name), { bigint: true, throwIfNoEntry: false });

function lookAt(directory: Directory, name: string): BigIntStats | undefined {
  try {
    return statOf(directory, name);
  } catch {
    return undefined;
  }
}

const isSameObject = (one: BigIntStats | undefined, other: BigIntStats): boolean => one?.ino === other.ino && one.dev === other.dev;
