// What the rest of the disk may hold in its hand: objects that were opened first and checked afterwards, so
// that the thing checked is the thing used. Nothing else in this folder opens a path that came from a caller.
import type { BigIntStats } from "node:fs";

/** One allowed directory: as the operator (or the client) spelled it, made absolute, and as it really is. */
export interface Root {
  readonly given: string;
  readonly real: string;
  readonly readOnly: boolean;
}

/** A directory that is held open. */
export interface FolderHandle extends Disposable {
  /** The real absolute path, to show and to match against; never to open. */
  readonly path: string;
  readonly stat: BigIntStats;
  /** A path for calls on the directory itself (readdir), good while the handle is held. */
  readonly self: string;
  /** A path for calls on an entry; `name` is one component. The caller must not follow a link there. */
  at(name: string): string;
  /** The directory `name` without following a link; undefined when it is gone, hidden, a link or no directory. */
  child(name: string): FolderHandle | undefined;
}

/** A regular file that is held open. */
export interface FileHandle extends Disposable {
  readonly path: string;
  /** The facts as they were when the file was opened. */
  readonly stat: BigIntStats;
  /** Readable; opened for content on first use. Read by position: the handle may be shared. */
  readonly fd: number;
}

/** A name in a held directory. Whether it exists is not said, and a link there is not followed. */
export interface Entry extends Disposable {
  readonly parent: FolderHandle;
  readonly name: string;
  /** parent.path and name: the absolute path, to show. */
  readonly path: string;
  /** The path text ended in a slash: only a directory can be meant. */
  readonly asFolder: boolean;
}

/** What an object was when it was looked at. */
export interface Look {
  readonly path: string;
  readonly stat: BigIntStats;
}

/** What one request may touch: the operator's directories, narrowed by the client's, minus what is denied. */
export interface Area {
  readonly roots: readonly Root[];
  /** There are globs of --deny. */
  readonly hides: boolean;
  /** A file that has more than one name is none of ours. */
  readonly refusesHardLinks: boolean;
  /** undefined: no narrowing; []: nothing is allowed. Only ever narrows. */
  narrowed(folders: readonly string[] | undefined): Area;
  /** An existing regular file; links are followed as long as they end inside. */
  file(path: string): FileHandle;
  /** An existing directory; links are followed as long as they end inside. */
  folder(path: string): FolderHandle;
  /** The facts about an existing object of any type, a FIFO or a socket too; links are followed. */
  look(path: string): Look;
  /** A name whose directory exists. */
  entry(path: string): Entry;
  /** Inside this area and not denied. Takes a real absolute path: for walks, events and completions. */
  shows(realPath: string): boolean;
  /** Throws unless the real path may be changed: shown, not below a read-only root, not a root, not in `.git`. */
  mustBeWritable(realPath: string): void;
}
