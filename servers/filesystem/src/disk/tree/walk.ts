// The one walk behind tree and search. Folders are entered through held handles and never by a link; an entry costs no system
// call of its own. The walk is bounded by entries and depth, gives way to other calls every few milliseconds, stops on a signal,
// and counts the folders that it could not read instead of failing for them.
import { setImmediate } from "node:timers/promises";
import { escapeControls } from "@oarlock/domain-kit";
import type { Area, FolderHandle } from "../access/area.ts";
import { readEntries, withSeparator, type FolderEntries, type FolderEntry } from "./directory-entries.ts";
import { DiskError, fromSystem } from "../errors.ts";
import type { IgnoreRules } from "../search/gitignore/ignore-rules.ts";
import { isProc } from "../access/proc-device.ts";

/** What the visitor returns to end the walk. */
export const STOP = Symbol("stop");

export interface Visitor<Place> {
  /** The place of a folder that is to be entered; undefined to pass on; STOP to end. `at` is the place of its folder. */
  entry(entry: FolderEntry, at: Place): Place | undefined | typeof STOP;
  /** Is the entry to be passed over without being counted? */
  passes?(entry: FolderEntry, at: Place): boolean;
  /** A folder is about to be gone through. */
  opened?(at: Place): void;
  /** All entries of a folder have been visited (not yet those of its folders, when the walk is wide). */
  done?(at: Place): void;
}

export interface WalkOptions {
  /** Deep: the entries of a folder right after it, as the official server prints them. Wide: level by level. */
  readonly order: "deep" | "wide";
  readonly maxEntries?: number | undefined;
  /** The rules of .gitignore that count. */
  readonly ignoreRules?: IgnoreRules | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of entries seen so far, early and then now and then. */
  readonly progress?: ((seen: number) => void) | undefined;
}

export interface Walked {
  readonly seen: number;
  readonly folders: number;
  /** Folders that could not be opened or read. */
  readonly unreadable: number;
  /** The first of them, absolute, fit to be shown. */
  readonly unreadablePaths: readonly string[];
  /** Why the walk ended early: the visitor said so, or a bound was met. */
  readonly ended: "visitor" | "entries" | undefined;
  /** Folders with more entries than one folder may have here: their rest was left out. */
  readonly cutFolders: number;
  /** Folders that were not entered because of their depth; they count as unreadable too. */
  readonly deepFolders: number;
}

export const MAX_ENTRIES = 1_000_000;
/** Levels below the start. A path of 4,096 bytes cannot be deeper than 2,048, and each level of a deep walk holds a handle. */
export const MAX_DEPTH = 256;

const SLICE_MS = 8;
const PROGRESS_MS = 100;
/** Folders held open for their sub-folders in a wide walk; further ones are opened again by path when their turn comes. */
const MAX_HELD = 128;
const TOLD_PATHS = 20;
const PAUSE = Symbol("pause");
const PAUSE_ENTRIES = 16;

interface Frame<Place> {
  readonly folder: FolderHandle;
  readonly entries: readonly FolderEntry[];
  readonly place: Place;
  readonly depth: number;
  next: number;
}

interface Waiting<Place> {
  readonly parent: Parent;
  readonly name: string;
  readonly place: Place;
  readonly depth: number;
}

/** A folder of a wide walk, held until its last sub-folder has been opened. */
interface Parent {
  readonly path: string;
  folder: FolderHandle | undefined;
  waiting: number;
}

export async function walk<Place>(
  area: Area,
  start: FolderHandle,
  place: Place,
  visitor: Visitor<Place>,
  options: WalkOptions,
): Promise<Walked> {
  options.signal?.throwIfAborted();
  using run = new Run(area, start, visitor, options);
  await (options.order === "deep" ? run.deep(start, place) : run.wide(start, place));
  return run.result();
}

class Run<Place> implements Disposable {
  readonly #area: Area;
  readonly #visitor: Visitor<Place>;
  readonly #options: WalkOptions;
  readonly #maxEntries: number;
  readonly #held = new Set<FolderHandle>();
  readonly #unreadablePaths: string[] = [];
  readonly #entered = new Set<string>();
  #seen = 0;
  #folders = 0;
  #unreadable = 0;
  #cutFolders = 0;
  #deepFolders = 0;
  #ended: Walked["ended"];
  #sliceEnd = performance.now() + SLICE_MS;
  #told = { seen: 0, at: 0 };

  constructor(area: Area, start: FolderHandle, visitor: Visitor<Place>, options: WalkOptions) {
    this.#area = area;
    this.#visitor = visitor;
    this.#options = options;
    this.#maxEntries = Math.min(options.maxEntries ?? MAX_ENTRIES, MAX_ENTRIES);
    this.#entered.add(identity(start));
  }

  /** `start` belongs to the caller; every other folder is closed here. */
  async deep(start: FolderHandle, place: Place): Promise<void> {
    const stack: Frame<Place>[] = [];
    const push = async (folder: FolderHandle, at: Place, depth: number) => {
      const entries = await this.#read(folder, at);
      if (entries) stack.push({ folder, entries, place: at, depth, next: 0 });
      else this.#release(folder);
    };
    await push(start, place, 0);
    for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
      const below = this.#rest(frame);
      if (this.#ended) return;
      if (below === undefined) {
        stack.pop();
        this.#release(frame.folder);
        continue;
      }
      if (this.#isDue()) await this.#giveWay();
      if (below === PAUSE) continue;
      const child = this.#child(frame.folder, below.name);
      if (child) await push(child, below.place, frame.depth + 1);
    }
  }

  async wide(start: FolderHandle, place: Place): Promise<void> {
    const queue: Waiting<Place>[] = [];
    const read = async (folder: FolderHandle, at: Place, depth: number) => {
      const entries = await this.#read(folder, at);
      const parent: Parent = { path: folder.path, folder, waiting: 0 };
      if (entries) {
        const frame: Frame<Place> = { folder, entries, place: at, depth, next: 0 };
        for (let below = this.#rest(frame); below && !this.#ended; below = this.#rest(frame)) {
          if (below === PAUSE) {
            if (this.#isDue()) await this.#giveWay();
            continue;
          }
          parent.waiting += 1;
          queue.push({ parent, name: below.name, place: below.place, depth: depth + 1 });
        }
      }
      if (parent.waiting === 0 || this.#held.size > MAX_HELD) {
        parent.folder = undefined;
        this.#release(folder);
      }
    };
    await read(start, place, 0);
    for (let i = 0; i < queue.length && !this.#ended; i++) {
      const item = queue[i];
      if (!item) continue;
      if (this.#isDue()) await this.#giveWay();
      const { parent } = item;
      const folder = parent.folder ? this.#child(parent.folder, item.name) : this.#again(parent.path, item.name);
      parent.waiting -= 1;
      if (parent.waiting === 0 && parent.folder) this.#release(parent.folder);
      if (folder) await read(folder, item.place, item.depth);
    }
  }

  result(): Walked {
    return {
      seen: this.#seen,
      folders: this.#folders,
      unreadable: this.#unreadable,
      unreadablePaths: this.#unreadablePaths,
      ended: this.#ended,
      cutFolders: this.#cutFolders,
      deepFolders: this.#deepFolders,
    };
  }

  [Symbol.dispose](): void {
    for (const folder of this.#held) folder[Symbol.dispose]();
    this.#held.clear();
  }

  async #read(folder: FolderHandle, at: Place): Promise<readonly FolderEntry[] | undefined> {
    let read: FolderEntries;
    try {
      read = await readEntries(folder);
    } catch (error) {
      if (this.#folders === 0) throw fromSystem(error, folder.path);
      this.#missed(folder.path);
      return undefined;
    }
    this.#folders += 1;
    if (read.cut) this.#cutFolders += 1;
    this.#visitor.opened?.(at);
    return read.entries;
  }

  /** Visits on in a folder, up to the next folder that is to be entered, or for so long that the clock should be looked at. */
  #rest(frame: Frame<Place>): { name: string; place: Place } | typeof PAUSE | undefined {
    const { folder, entries } = frame;
    const prefix = withSeparator(folder.path);
    const from = frame.next;
    for (;;) {
      const entry = entries[frame.next];
      if (entry === undefined) {
        this.#visitor.done?.(frame.place);
        return undefined;
      }
      if (frame.next - from === PAUSE_ENTRIES) return PAUSE;
      frame.next += 1;
      if (this.#area.hides && !this.#area.shows(prefix + entry.name)) continue;
      if (this.#options.ignoreRules?.ignores(prefix + entry.name, entry.isDirectory()) === true) continue;
      if (this.#visitor.passes?.(entry, frame.place)) continue;
      if (this.#seen >= this.#maxEntries) {
        this.#ended = "entries";
        return undefined;
      }
      this.#seen += 1;
      const below = this.#visitor.entry(entry, frame.place);
      if (below === STOP) {
        this.#ended = "visitor";
        return undefined;
      }
      if (below === undefined) continue;
      if (!entry.odd && frame.depth < MAX_DEPTH) return { name: entry.name, place: below };
      if (frame.depth >= MAX_DEPTH) this.#deepFolders += 1;
      this.#missed(prefix + entry.name);
    }
  }

  #child(folder: FolderHandle, name: string): FolderHandle | undefined {
    return this.#admit(folder.child(name), withSeparator(folder.path) + name);
  }

  #again(parent: string, name: string): FolderHandle | undefined {
    const path = withSeparator(parent) + name;
    try {
      const folder = this.#area.folder(path);
      if (folder.path === path) return this.#admit(folder, path);
      // Something on the way has become a link meanwhile.
      folder[Symbol.dispose]();
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
    return this.#admit(undefined, path);
  }

  /** /proc is never walked; a folder mounted in two places is walked once. */
  #admit(folder: FolderHandle | undefined, path: string): FolderHandle | undefined {
    if (folder === undefined) {
      this.#missed(path);
      return undefined;
    }
    const id = identity(folder);
    if (isProc(folder.stat.dev) || this.#entered.has(id)) {
      folder[Symbol.dispose]();
      return undefined;
    }
    this.#entered.add(id);
    this.#held.add(folder);
    return folder;
  }

  #release(folder: FolderHandle): void {
    if (this.#held.delete(folder)) folder[Symbol.dispose]();
  }

  #missed(path: string): void {
    this.#unreadable += 1;
    if (this.#unreadablePaths.length < TOLD_PATHS) this.#unreadablePaths.push(escapeControls(path));
  }

  /** Who wants to hear of progress hears early, and never together with the answer: clients lose it there. */
  #isDue(): boolean {
    const first = this.#told.at === 0 && this.#seen > 0 && this.#options.progress !== undefined;
    return first || performance.now() >= this.#sliceEnd;
  }

  async #giveWay(): Promise<void> {
    this.#options.signal?.throwIfAborted();
    const now = performance.now();
    if (now - this.#told.at >= PROGRESS_MS) {
      this.#told = { seen: this.#seen, at: now };
      this.#options.progress?.(this.#seen);
    }
    await setImmediate();
    this.#options.signal?.throwIfAborted();
    this.#sliceEnd = performance.now() + SLICE_MS;
  }
}

function identity(folder: FolderHandle): string {
  return `${folder.stat.dev}:${folder.stat.ino}`;
}
