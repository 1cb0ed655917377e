// The sandbox: what one request may touch, and handles on its files and directories. An object is opened first and checked afterwards,
// so the checked object is the one that is used. Nothing else below disk/ opens a path that came from a caller.
import type { BigIntStats } from "node:fs";
import type { CursorSealer, RawHandle } from "@oarlock/domain-kit";

/** One allowed directory: as the operator (or the client) spelled it, made absolute, and as it really is. */
export interface Root {
  readonly given: string;
  readonly real: string;
  readonly readOnly: boolean;
}

/** An open directory. */
export interface FolderHandle extends Disposable {
  /** The real absolute path, for messages and globs; never for opening. */
  readonly path: string;
  readonly stat: BigIntStats;
  /** A path for calls on the directory itself (readdir), valid while the handle is open. */
  readonly self: string;
  /** A path for calls on an entry; `name` is one component. The caller must not follow a link at this path. */
  at(name: string): string;
  /** Opens the directory `name` without following a link; undefined when it is missing, hidden, a link or not a directory. */
  child(name: string): FolderHandle | undefined;
  /** Opens an entry of any type, a link itself. The caller releases it. Throws the error of the system. */
  step(name: string): RawHandle;
  /** Throws where --lockdown hides the content of a file. For a file in this directory that is not opened as a FileHandle. */
  checkOwner(name: string, stat: BigIntStats): void;
}

/** An open regular file. */
export interface FileHandle extends Disposable {
  readonly path: string;
  /** From the moment when the file was opened. */
  readonly stat: BigIntStats;
  /** Readable; opened for content on first use. Read by position: the handle may be shared. Throws where --lockdown hides the content. */
  readonly fd: number;
  /** Sets the mode of the same file. Throws the error of the system. */
  changeMode(mode: number): void;
  /** Opens the same file for appending; the caller closes the descriptor. Throws the error of the system. */
  openToAppend(): number;
}

/** A name in an open directory. It need not exist, and a link at this name is not followed. */
export interface Entry extends Disposable {
  readonly parent: FolderHandle;
  /** As the directory stores it. */
  readonly name: string;
  /** As the caller spelled it: the name that something new, or renamed, gets. */
  readonly spelling: string;
  /** The absolute path in stored names, for checks and messages. */
  readonly path: string;
  /** The path text ended in a slash: only a directory can be meant. */
  readonly asFolder: boolean;
}

/** Where an entry is. */
export type EntryPlace = Pick<Entry, "parent" | "name" | "path">;

/** The stat of an object, with its real path. */
export interface Look {
  readonly path: string;
  readonly stat: BigIntStats;
}

export interface NameOptions {
  /** Name everything on the way as its directory stores it, whatever the spelling of the caller. Costs a look at each name. */
  readonly inStoredNames?: boolean;
}

/** What holds for single files, wherever they are. */
export interface FileRules {
  /** Files with several names (hard links) are refused. */
  readonly refuseHardLinks: boolean;
  /** The content of files of other owners is hidden. */
  readonly lockdown: boolean;
}

/** What one request may touch: the operator's directories, narrowed by the client's, minus what is denied. */
export interface Sandbox {
  readonly roots: readonly Root[];
  /** Whether --deny has globs. */
  readonly hides: boolean;
  readonly fileRules: FileRules;
  /** Seals the cursors of cut lists. */
  readonly cursors: CursorSealer;
  /** Narrows to the client's roots. undefined: no narrowing; []: nothing is allowed. `hint`: a sentence for all refusals. */
  narrowed(folders: readonly string[] | undefined, hint?: string): Sandbox;
  /** The refusal of a path. */
  denied(path: string): Error;
  /** An existing regular file; links are followed as long as they end inside. */
  file(path: string): FileHandle;
  /** The regular file at an entry, without another look at the way to it. A link is refused. */
  openEntry(entry: EntryPlace): FileHandle;
  /** An existing directory; links are followed as long as they end inside. */
  folder(path: string, options?: NameOptions): FolderHandle;
  /** The stat of an existing object of any type, FIFOs and sockets included; links are followed. */
  look(path: string): Look;
  /** A name in an existing directory. In stored names by default, because what is changed is judged by its path. */
  entry(path: string, options?: NameOptions): Entry;
  /** Whether a real absolute path is inside this sandbox and not denied. For walks, events and completions. */
  shows(realPath: string): boolean;
  /** Throws unless the real path may be changed: it is shown, not below a read-only root, not a root, and not part of a git directory. */
  mustBeWritable(realPath: string): void;
  /** The same for an entry of a tree whose top was checked. */
  mustBeWritableBelow(realPath: string): void;
}
