// The interface of a search engine: ripgrep where its binary runs, and a plain search in a worker where it does not.
import type { Sandbox, FolderHandle } from "../../access/sandbox.ts";
import type { IgnoreRules } from "../gitignore/ignore-rules.ts";
import type { ContentsOptions } from "./options.ts";

/** One line of a file, in the order of the file. */
export interface Line {
  readonly type: "match" | "context";
  /** From 1. */
  readonly number: number;
  /** Without its line ending. */
  readonly text: string;
  /** Where the first hit begins in the text, in UTF-16 units; of a match only. */
  readonly column?: number;
  /** Where matches may span lines: the line on which the last hit that begins here ends, and the next lines down to it. */
  readonly span?: { readonly endLine: number; readonly below: readonly string[] };
}

/** What an engine reports of open files. Files without a match are not reported; lines only where the output mode shows them. */
export type SearchEvent =
  | Line
  /** `file`: its index in the list of open files. */
  | { readonly type: "begin"; readonly file: number }
  /** `count`: the lines that match, or begin a match; 0 in the output mode `files`. */
  | { readonly type: "end"; readonly count: number };

export interface DirectorySearch {
  readonly sandbox: Sandbox;
  readonly directory: FolderHandle;
  readonly options: ContentsOptions;
  readonly filter: FileFilter;
  /** Undefined where .gitignore does not count. */
  readonly rules: IgnoreRules | undefined;
  readonly signal: AbortSignal;
  /** Called for each text file that was searched, with its path below the directory. May be called for files that do not count. */
  onFile(name: string, matches: boolean): void;
}

export interface FilesSearch {
  /** Files open for reading. */
  readonly fds: readonly number[];
  readonly options: ContentsOptions;
  readonly signal: AbortSignal;
  /** Returns true to end the search. */
  onEvent(event: SearchEvent): boolean;
}

/** Which files count. */
export interface FileFilter {
  /** The three reasons of the call to leave a file out, by its path below the directory. */
  isHidden(path: string): boolean;
  isExcluded(path: string): boolean;
  /** Whether `include` names it. */
  isNamed(path: string): boolean;
  /** Whether a file counts, by its path below the directory. */
  keeps(path: string): boolean;
  /** Whether files below a directory may count. */
  mayKeepBelow(directory: string): boolean;
  /** Arguments by which ripgrep leaves out some of the files that do not count; `keeps` decides. */
  readonly ripgrepArguments: readonly string[];
}

/** Both searches settle when nothing of the run is left, child process or worker included. An aborted one resolves. */
export interface SearchEngine {
  readonly name: "ripgrep" | "plain";
  searchDirectory(search: DirectorySearch): Promise<SearchEnd>;
  searchFiles(search: FilesSearch): Promise<SearchEnd>;
}

export interface SearchEnd {
  /** Some files or directories could not be read. */
  readonly incomplete: boolean;
}
