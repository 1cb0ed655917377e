// What a walk is given, and what it returns.
import type { IgnoreRules } from "../search/gitignore/ignore-rules.ts";
import type { FolderEntry } from "./directory-entries.ts";

/** Returned by the visitor to end the walk. */
export const STOP = Symbol("stop");

/** `Place`: what the visitor knows of a folder, for example its depth and its path. */
export interface Visitor<Place> {
  /** Returns the place of a folder that is to be entered, undefined to skip the entry, or STOP. `at`: the place of its folder. */
  entry(entry: FolderEntry, at: Place): Place | undefined | typeof STOP;
  /** Whether to pass over an entry without counting it. */
  passes?(entry: FolderEntry, at: Place): boolean;
  /** A folder was opened; its entries follow. */
  opened?(at: Place): void;
}

export interface WalkOptions {
  /** Deep: the entries of a folder right after it, as the reference server prints them. Wide: level by level. */
  readonly order: "deep" | "wide";
  readonly maxEntries?: number | undefined;
  /** The rules of .gitignore that count. */
  readonly ignoreRules?: IgnoreRules | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of entries so far, early and then regularly. */
  readonly progress?: ((seen: number) => void) | undefined;
}

export interface Walked {
  readonly seen: number;
  readonly folders: number;
  /** Folders that could not be opened or read. */
  readonly unreadable: number;
  /** The first of them, absolute and escaped. */
  readonly unreadablePaths: readonly string[];
  /** Why the walk ended early: by the visitor, or by the bound on entries. */
  readonly ended: "visitor" | "entries" | undefined;
  /** Folders with more entries than one folder may have here; the rest of them was left out. */
  readonly cutFolders: number;
  /** Folders that were not entered because of their depth. They count as unreadable too. */
  readonly deepFolders: number;
}

export const MAX_ENTRIES = 1_000_000;
/** Levels below the start. A path of 4,096 bytes has at most 2,048, and each level of a deep walk holds a handle. */
export const MAX_DEPTH = 256;
