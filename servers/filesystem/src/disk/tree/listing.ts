// Listings of one folder, in pages: for list_directory, and with sizes, orders and totals for list_directory_with_sizes.
import { lstatSync } from "node:fs";
import { escapeControls, jsonStringBytes, yieldToEventLoop } from "@oarlock/domain-kit";
import type { Sandbox, FolderHandle } from "../access/sandbox.ts";
import { withSeparator } from "../access/path-syntax.ts";
import { orderOf, readEntries, typeOf, type EntryType, type FolderEntries, type FolderEntry } from "./directory-entries.ts";
import { fromSystem } from "../errors.ts";
import { linkEnd, linkEndText, type LinkEnd } from "../access/link-end.ts";
import { byName, cutPage, inOrder, largestFirst, type Page, type PageOptions, type Ranked } from "./sorted-page.ts";

/** Stat calls between two pauses for other calls. */
const STATS_PER_SLICE = 1000;

export interface Entry extends LinkEnd {
  readonly name: string;
  readonly type: EntryType;
}

interface SizedEntry extends Entry {
  /** Bytes of a file; 0 for everything else. */
  readonly size: number;
}

export interface ListOptions extends PageOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface SizedListOptions extends ListOptions {
  readonly sortBy?: "name" | "size" | undefined;
}

export interface Listing<Item extends Entry = Entry> extends Page<Item> {
  /** The real path of the folder. */
  readonly path: string;
  /** The folder has more entries than one call reads: `total` and the pages leave the rest out. */
  readonly beyond: boolean;
}

interface Totals {
  readonly files: number;
  readonly directories: number;
  readonly symlinks: number;
  readonly others: number;
  /** Bytes of all files. */
  readonly bytes: number;
}

export interface SizedListing extends Listing<SizedEntry> {
  readonly totals: Totals;
}

export async function listFolder(sandbox: Sandbox, path: string, options: ListOptions = {}): Promise<Listing> {
  using folder = sandbox.folder(path);
  const { entries, cut } = await shownEntries(sandbox, folder);
  const ranked = entries.map((entry) => ({ entry, name: entry.name, order: orderOf(entry), size: 0 }));
  const query = ["list", folder.path];
  const finish = ({ entry }: Found) => weighed(described(sandbox, folder, entry));
  return { path: folder.path, ...cutPage(ranked, { cursors: sandbox.cursors, query }, inOrder, options, finish), beyond: cut };
}

export async function listFolderWithSizes(sandbox: Sandbox, path: string, options: SizedListOptions = {}): Promise<SizedListing> {
  using folder = sandbox.folder(path);
  const { entries, cut } = await shownEntries(sandbox, folder);
  const ranked = await withSizes(folder, entries, options.signal);
  const compare = options.sortBy === "size" ? largestFirst : byName;
  ranked.sort(compare);
  const query = ["sizes", folder.path, options.sortBy ?? "name"];
  const finish = ({ entry, size }: Found) => weighed({ ...described(sandbox, folder, entry), size: entry.isFile() ? size : 0 });
  return {
    path: folder.path,
    ...cutPage(ranked, { cursors: sandbox.cursors, query }, compare, options, finish),
    totals: totalsOf(ranked),
    beyond: cut,
  };
}

interface Found extends Ranked {
  readonly entry: FolderEntry;
}

/** An entry is sent as a line of text, twice, and as an object. */
function weighed<Item extends Entry>(entry: Item): { entry: Item; bytes: number } {
  const label = entry.name + linkEndText(entry);
  return { entry, bytes: 2 * Math.max(jsonStringBytes(escapeControls(label)), 30) + jsonStringBytes(label) + 100 };
}

export async function shownEntries(sandbox: Sandbox, folder: FolderHandle): Promise<FolderEntries> {
  const prefix = withSeparator(folder.path);
  try {
    const { entries, cut } = await readEntries(folder);
    return { entries: sandbox.hides ? entries.filter((entry) => sandbox.shows(prefix + entry.name)) : entries, cut };
  } catch (error) {
    throw fromSystem(error, folder.path);
  }
}

function described(sandbox: Sandbox, folder: FolderHandle, entry: FolderEntry): Entry {
  const type = typeOf(entry);
  return { name: entry.name, type, ...(type === "symlink" && !entry.odd && linkEnd(sandbox, folder, entry.name)) };
}

export async function withSizes(folder: FolderHandle, entries: readonly FolderEntry[], signal?: AbortSignal): Promise<Found[]> {
  const found: Found[] = [];
  for (const entry of entries) {
    if (found.length % STATS_PER_SLICE === STATS_PER_SLICE - 1) await yieldToEventLoop(signal);
    // The reference server sorts a folder by the size of its own list of names.
    found.push({ entry, name: entry.name, order: orderOf(entry), size: sizeOf(pathOf(folder, entry)) });
  }
  return found;
}

/** A name that is not UTF-8 can only be opened by its bytes. */
function pathOf(folder: FolderHandle, { name, odd, bytes }: FolderEntry): string | Buffer {
  return odd === true && bytes !== undefined
    ? Buffer.concat([Buffer.from(withSeparator(folder.self)), Buffer.from(bytes, "latin1")])
    : folder.at(name);
}

/** 0, as in the reference server, where the stat fails: in a directory that is readable for its names only. */
function sizeOf(path: string | Buffer): number {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}

function totalsOf(found: readonly Found[]): Totals {
  const totals = { files: 0, directories: 0, symlinks: 0, others: 0, bytes: 0 };
  for (const { entry, size } of found) {
    const type = typeOf(entry);
    if (type === "directory") totals.directories += 1;
    else if (type === "symlink") totals.symlinks += 1;
    else if (type === "other") totals.others += 1;
    else {
      totals.files += 1;
      totals.bytes += size;
    }
  }
  return totals;
}
