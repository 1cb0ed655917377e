// Lines that match, in the files that git tracks or in those of a revision; read as they come, and no further than a page.
import { openCursor, sealCursor } from "../text/cursor.ts";
import { failure } from "../process/git-failure.ts";
import { leadsThroughLink } from "../safety/symlink-checks.ts";
import { nameOf, textOf } from "../text/file-names.ts";
import { pathArguments } from "../safety/path-resolver.ts";
import { checkPattern } from "../safety/pattern-check.ts";
import type { Repository } from "../repository.ts";
import { wireBytes } from "../text/json-size.ts";

export interface GrepOptions {
  readonly pattern: string;
  /** A commit id; without one the files of the work tree. */
  readonly commit: string | undefined;
  readonly paths: readonly string[];
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  readonly word: boolean;
  readonly contextLines: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly maxWire: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Line {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface Match extends Line {
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

export interface Grepped {
  readonly matches: readonly Match[];
  readonly nextCursor: string | undefined;
  /** A line was too long to be shown whole. */
  readonly clipped: boolean;
}

const LONGEST_LINE = 500;

export async function grepIn(repository: Repository, options: GrepOptions): Promise<Grepped> {
  const { pattern, commit, paths, literal, ignoreCase, word, contextLines, limit, maxWire, signal } = options;
  if (commit === undefined) repository.needsWorkTree();
  if (!literal) checkPattern(pattern);
  const question = ["grep", repository.facts.gitDir, pattern, commit, paths, literal, ignoreCase, word, contextLines];
  const skip = options.cursor === undefined ? 0 : Number(openCursor(question, options.cursor));
  const reader = new GrepReader(repository, commit, { skip, limit, room: maxWire, contextLines });
  const ran = await repository.try({
    args: [
      "grep",
      "-z",
      "--line-number",
      "--column",
      "--full-name",
      "--no-color",
      "-I",
      "--no-textconv",
      literal ? "--fixed-strings" : "--extended-regexp",
      ...(ignoreCase ? ["--ignore-case"] : []),
      ...(word ? ["--word-regexp"] : []),
      ...(contextLines > 0 ? [`--context=${contextLines}`] : []),
      "-e",
      pattern,
      ...(commit === undefined ? [] : [commit]),
      ...pathArguments(repository, paths),
    ],
    signal,
    onStdout: (chunk) => reader.push(chunk),
  });
  // 1: nothing was found.
  if (ran.code !== 0 && ran.code !== 1 && !ran.cut) throw failure(repository, ran, ["grep"]);
  const more = reader.isFull;
  return {
    matches: reader.matches,
    nextCursor: more ? sealCursor(question, String(skip + reader.matches.length)) : undefined,
    clipped: reader.isClipped,
  };
}

type Found = { path: string; line: number; text: string; before?: string[]; after?: string[] };

class GrepReader {
  readonly matches: Found[] = [];
  isFull = false;
  isClipped = false;
  readonly #repository: Repository;
  readonly #prefix: string;
  readonly #inTree: boolean;
  readonly #links = new Map<string, boolean>();
  readonly #limit: number;
  readonly #contextLines: number;
  #skip: number;
  #room: number;
  #rest: Buffer = Buffer.alloc(0);
  #before: Line[] = [];

  constructor(
    repository: Repository,
    commit: string | undefined,
    { skip, limit, room, contextLines }: { skip: number; limit: number; room: number; contextLines: number },
  ) {
    this.#repository = repository;
    this.#prefix = commit === undefined ? "" : `${commit}:`;
    this.#inTree = commit === undefined;
    this.#skip = skip;
    this.#limit = limit;
    this.#room = room;
    this.#contextLines = contextLines;
  }

  push(chunk: Buffer): boolean {
    let data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      // Between two places of a file.
      if (data.length > 2 && data[0] === 0x2d && data[1] === 0x2d && data[2] === 10) {
        data = data.subarray(3);
        this.#before = [];
        continue;
      }
      const name = data.indexOf(0);
      const number = name === -1 ? -1 : data.indexOf(0, name + 1);
      const end = number === -1 ? -1 : data.indexOf(10, number + 1);
      if (end === -1) break;
      const column = data.indexOf(0, number + 1);
      const isMatch = column !== -1 && column < end;
      const path = nameOf(data.subarray(0, name)).slice(this.#prefix.length);
      const line = Number(data.toString("latin1", name + 1, number));
      const whole = textOf(data.subarray((isMatch ? column : number) + 1, end));
      const text = clipped(whole);
      this.isClipped ||= text !== whole;
      data = data.subarray(end + 1);
      if (this.#inTree && leadsThroughLink(this.#repository, path, this.#links)) continue;
      if (!this.#take({ path, line, text }, isMatch)) return false;
    }
    this.#rest = data;
    return true;
  }

  #take(found: Line, isMatch: boolean): boolean {
    const last = this.matches.at(-1);
    if (!isMatch) {
      // Behind a match that was told, or before the next one, or both: git writes the lines between two matches once.
      if (last?.path === found.path && found.line - last.line <= this.#contextLines) (last.after ??= []).push(found.text);
      this.#before.push(found);
      this.#room -= 2 * wireBytes(found.text);
      return true;
    }
    if (this.#skip > 0) {
      this.#skip--;
      this.#before = [];
      return true;
    }
    this.#room -= 2 * (wireBytes(found.path) + wireBytes(found.text)) + 80;
    if (this.matches.length >= this.#limit || (this.#room < 0 && this.matches.length > 0)) {
      this.isFull = true;
      return false;
    }
    const before = this.#before
      .filter(({ path, line }) => path === found.path && found.line - line <= this.#contextLines)
      .map(({ text }) => text);
    this.matches.push({ ...found, ...(before.length > 0 && { before }) });
    this.#before = [];
    return true;
  }
}

const clipped = (text: string): string => (text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text);
