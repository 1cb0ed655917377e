// The entries of an open folder, in the order of the system (by bytes), with their types and without a stat for each. Large folders are
// read in pieces, so that other calls run meanwhile, and up to a bound.
import { readdirSync, type Dirent } from "node:fs";
import type { FolderHandle } from "../access/sandbox.ts";
import { escapeNonUtf8 } from "../text/raw-name.ts";

export type EntryType = "file" | "directory" | "symlink" | "other";

export interface FolderEntry {
  readonly name: string;
  /** The name is not UTF-8; `name` shows its bytes escaped and opens nothing. */
  readonly odd?: boolean;
  /** The name with each byte as a character. */
  readonly bytes?: string;
  isDirectory(): boolean;
  isFile(): boolean;
  isSymbolicLink(): boolean;
}

export interface FolderEntries {
  readonly entries: readonly FolderEntry[];
  /** The folder has more entries than the bound. */
  readonly cut: boolean;
}

/** The most entries of one folder that are read. */
const MAX_FOLDER_ENTRIES = 200_000;

/** Reading a folder of this size (some 60,000 entries on ext4) in one piece takes some 60 ms. */
const LARGE = 2n * 1024n * 1024n;

export function typeOf(entry: FolderEntry): EntryType {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "symlink" : "other";
}

/** A sort key: comparing the keys orders names by bytes, which is not the order of UTF-16. */
export function orderOf(entry: FolderEntry): string {
  // oxlint-disable-next-line no-control-regex
  return entry.bytes ?? (/^[\u0000-\u007f]*$/.test(entry.name) ? entry.name : Buffer.from(entry.name).toString("latin1"));
}

/** Throws the system's error when the folder cannot be read. */
export async function readEntries(folder: FolderHandle, bound = MAX_FOLDER_ENTRIES): Promise<FolderEntries> {
  if (folder.stat.size > LARGE) return await readLarge(folder, bound);
  const entries: FolderEntry[] = readdirSync(folder.self, { withFileTypes: true });
  // Node decodes bytes that are not UTF-8 as U+FFFD: only then the bytes themselves are read.
  const found = entries.some((entry) => entry.name.includes("\ufffd"))
    ? readdirSync(folder.self, { withFileTypes: true, encoding: "latin1" }).map(decoded)
    : entries;
  return found.length > bound ? { entries: found.slice(0, bound), cut: true } : { entries: found, cut: false };
}

async function readLarge(folder: FolderHandle, bound: number): Promise<FolderEntries> {
  const raw: Dirent[] = [];
  // Loaded on first use: 2 ms of a start that most sessions never need.
  const { opendir } = await import("node:fs/promises");
  await using directory = await opendir(folder.self, { bufferSize: 2048, encoding: "latin1" });
  let cut = false;
  for (let entry = await directory.read(); entry !== null; entry = await directory.read()) {
    if (raw.length === bound) {
      cut = true;
      break;
    }
    raw.push(entry);
  }
  raw.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { entries: raw.map(decoded), cut };
}

/** From an entry that was read as latin1, where each character is one byte of the name. */
function decoded(entry: Dirent): FolderEntry {
  // oxlint-disable-next-line no-control-regex
  if (/^[\u0000-\u007f]*$/.test(entry.name)) return entry;
  const bytes = Buffer.from(entry.name, "latin1");
  const name = bytes.toString();
  const odd = !Buffer.from(name).equals(bytes);
  return {
    name: odd ? escapeNonUtf8(bytes) : name,
    odd,
    bytes: entry.name,
    isDirectory: () => entry.isDirectory(),
    isFile: () => entry.isFile(),
    isSymbolicLink: () => entry.isSymbolicLink(),
  };
}
