// The walk behind trees and searches. Folders are entered through open handles and never by a link, and an entry costs no system call
// of its own. The walk is bounded by entries and depth, pauses every few milliseconds for other calls, ends when its signal aborts, and
// counts the folders that it cannot read instead of failing for them.
import { escapeControls } from "@oarlock/domain-kit";
import type { Sandbox, FolderHandle } from "../access/sandbox.ts";
import { withSeparator } from "../access/path-syntax.ts";
import { DiskError, fromSystem } from "../errors.ts";
import type { IgnoreRules } from "../search/gitignore/ignore-rules.ts";
import { readEntries, type FolderEntries, type FolderEntry } from "./directory-entries.ts";
import { EnteredFolders } from "./entered-folders.ts";
import { MAX_DEPTH, MAX_ENTRIES, STOP, type Visitor, type Walked, type WalkOptions } from "./visitor.ts";
import { WalkProgress } from "./walk-progress.ts";

/** Folders held open for their sub-folders in a wide walk; further ones are opened again by path. */
const MAX_OPEN_FOLDERS = 128;
const MAX_REPORTED_PATHS = 20;
/** The clock is read after so many entries. */
const PAUSE_ENTRIES = 16;
const PAUSE = Symbol("pause");

/** A folder whose entries are being visited. */
interface Frame<Place> {
  readonly folder: FolderHandle;
  readonly entries: readonly FolderEntry[];
  readonly place: Place;
  readonly depth: number;
  next: number;
}

/** A folder of a wide walk that is to be entered. */
interface Waiting<Place> {
  readonly parent: Parent;
  readonly name: string;
  readonly place: Place;
  readonly depth: number;
}

/** A folder of a wide walk, open until its last sub-folder has been opened. */
interface Parent {
  readonly path: string;
  folder: FolderHandle | undefined;
  waiting: number;
}

/** `start` stays open; every other folder is closed by the walk. */
export async function walk<Place>(
  sandbox: Sandbox,
  start: FolderHandle,
  place: Place,
  visitor: Visitor<Place>,
  options: WalkOptions,
): Promise<Walked> {
  options.signal?.throwIfAborted();
  using run = new Run(sandbox, start, visitor, options);
  await (options.order === "deep" ? run.walkDeep(start, place) : run.walkWide(start, place));
  return run.result;
}

class Run<Place> implements Disposable {
  readonly result = {
    seen: 0,
    folders: 0,
    unreadable: 0,
    unreadablePaths: [] as string[],
    ended: undefined as Walked["ended"],
    cutFolders: 0,
    deepFolders: 0,
  };
  readonly #sandbox: Sandbox;
  readonly #visitor: Visitor<Place>;
  readonly #ignoreRules: IgnoreRules | undefined;
  readonly #maxEntries: number;
  readonly #folders: EnteredFolders;
  readonly #progress: WalkProgress;

  constructor(
    sandbox: Sandbox,
    start: FolderHandle,
    visitor: Visitor<Place>,
    { maxEntries = MAX_ENTRIES, ignoreRules, progress, signal }: WalkOptions,
  ) {
    this.#sandbox = sandbox;
    this.#visitor = visitor;
    this.#ignoreRules = ignoreRules;
    this.#maxEntries = Math.min(maxEntries, MAX_ENTRIES);
    this.#folders = new EnteredFolders(start);
    this.#progress = new WalkProgress(progress, signal);
  }

  async walkDeep(start: FolderHandle, place: Place): Promise<void> {
    const stack: Frame<Place>[] = [];
    const push = async (folder: FolderHandle, at: Place, depth: number) => {
      const entries = await this.#read(folder, at);
      if (entries) stack.push({ folder, entries, place: at, depth, next: 0 });
      else this.#folders.close(folder);
    };
    await push(start, place, 0);
    for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
      const below = this.#visitEntries(frame);
      if (this.result.ended) return;
      if (below === undefined) {
        stack.pop();
        this.#folders.close(frame.folder);
        continue;
      }
      await this.#pauseIfDue();
      if (below === PAUSE) continue;
      const child = this.#openChild(frame.folder, below.name);
      if (child) await push(child, below.place, frame.depth + 1);
    }
  }

  async walkWide(start: FolderHandle, place: Place): Promise<void> {
    const queue: Waiting<Place>[] = [];
    const visit = async (folder: FolderHandle, at: Place, depth: number) => {
      const entries = await this.#read(folder, at);
      const parent: Parent = { path: folder.path, folder, waiting: 0 };
      if (entries) {
        const frame: Frame<Place> = { folder, entries, place: at, depth, next: 0 };
        for (let below = this.#visitEntries(frame); below && !this.result.ended; below = this.#visitEntries(frame)) {
          if (below === PAUSE) {
            await this.#pauseIfDue();
            continue;
          }
          parent.waiting += 1;
          queue.push({ parent, name: below.name, place: below.place, depth: depth + 1 });
        }
      }
      if (parent.waiting === 0 || this.#folders.openCount > MAX_OPEN_FOLDERS) {
        parent.folder = undefined;
        this.#folders.close(folder);
      }
    };
    await visit(start, place, 0);
    for (let i = 0; i < queue.length && !this.result.ended; i++) {
      const item = queue[i];
      if (!item) continue;
      await this.#pauseIfDue();
      const { parent } = item;
      const folder = parent.folder ? this.#openChild(parent.folder, item.name) : this.#reopen(parent.path, item.name);
      parent.waiting -= 1;
      if (parent.waiting === 0 && parent.folder) this.#folders.close(parent.folder);
      if (folder) await visit(folder, item.place, item.depth);
    }
  }

  [Symbol.dispose](): void {
    this.#folders[Symbol.dispose]();
  }

  async #read(folder: FolderHandle, at: Place): Promise<readonly FolderEntry[] | undefined> {
    let read: FolderEntries;
    try {
      read = await readEntries(folder);
    } catch (error) {
      if (this.result.folders === 0) throw fromSystem(error, folder.path);
      this.#countUnreadable(folder.path);
      return undefined;
    }
    this.result.folders += 1;
    if (read.cut) this.result.cutFolders += 1;
    this.#visitor.opened?.(at);
    return read.entries;
  }

  /** Visits the entries of a folder up to the next one that is to be entered, or until the clock should be read. */
  #visitEntries(frame: Frame<Place>): { name: string; place: Place } | typeof PAUSE | undefined {
    const prefix = withSeparator(frame.folder.path);
    const from = frame.next;
    for (let entry = frame.entries[frame.next]; entry !== undefined; entry = frame.entries[frame.next]) {
      if (frame.next - from === PAUSE_ENTRIES) return PAUSE;
      frame.next += 1;
      if (this.#isLeftOut(entry, prefix + entry.name, frame.place)) continue;
      const below = this.#visit(entry, frame.place);
      if (below === STOP) return undefined;
      if (below === undefined) continue;
      if (!entry.odd && frame.depth < MAX_DEPTH) return { name: entry.name, place: below };
      if (frame.depth >= MAX_DEPTH) this.result.deepFolders += 1;
      this.#countUnreadable(prefix + entry.name);
    }
    return undefined;
  }

  #isLeftOut(entry: FolderEntry, path: string, at: Place): boolean {
    if (this.#sandbox.hides && !this.#sandbox.shows(path)) return true;
    if (this.#ignoreRules?.ignores(path, entry.isDirectory()) === true) return true;
    return this.#visitor.passes?.(entry, at) === true;
  }

  #visit(entry: FolderEntry, at: Place): Place | undefined | typeof STOP {
    if (this.result.seen >= this.#maxEntries) {
      this.result.ended = "entries";
      return STOP;
    }
    this.result.seen += 1;
    const below = this.#visitor.entry(entry, at);
    if (below === STOP) this.result.ended = "visitor";
    return below;
  }

  #openChild(folder: FolderHandle, name: string): FolderHandle | undefined {
    return this.#enter(folder.child(name), withSeparator(folder.path) + name);
  }

  #reopen(parent: string, name: string): FolderHandle | undefined {
    const path = withSeparator(parent) + name;
    try {
      const folder = this.#sandbox.folder(path);
      if (folder.path === path) return this.#enter(folder, path);
      // A folder above has become a link in the meantime.
      folder[Symbol.dispose]();
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
    return this.#enter(undefined, path);
  }

  #enter(folder: FolderHandle | undefined, path: string): FolderHandle | undefined {
    if (folder === undefined) this.#countUnreadable(path);
    return folder !== undefined && this.#folders.enter(folder) ? folder : undefined;
  }

  #countUnreadable(path: string): void {
    this.result.unreadable += 1;
    if (this.result.unreadablePaths.length < MAX_REPORTED_PATHS) this.result.unreadablePaths.push(escapeControls(path));
  }

  async #pauseIfDue(): Promise<void> {
    if (this.#progress.isPauseDue(this.result.seen)) await this.#progress.pause(this.result.seen);
  }
}
