// Reads what `git diff --raw -z -p` (or --numstat) says while it comes in: first the list of files, then their patches, of which as
// many are kept as the budget holds. Every file is named and its lines are counted, whether its patch is kept or not.
import { nameOf } from "../text/file-names.ts";
import type { Keeping } from "./patch-budget.ts";

export interface FileDiff {
  readonly path: string;
  readonly oldPath?: string;
  status: string;
  additions: number;
  deletions: number;
  binary: boolean;
  patch?: string;
}

const WORDS: Readonly<Record<string, string>> = {
  A: "added",
  M: "modified",
  D: "deleted",
  R: "renamed",
  C: "copied",
  T: "typechange",
  U: "unmerged",
};

const HEAD = Buffer.from("diff --git ");
const NEXT = Buffer.from("\ndiff --git ");
const UNMERGED = Buffer.from("* Unmerged path ");
/** A line longer than this is taken in pieces. */
const LONGEST_LINE = 1024 * 1024;
const PLUS = 0x2b;
const MINUS = 0x2d;
const AT = 0x40;

export class DiffStream {
  readonly files: FileDiff[] = [];
  /** In conflict, and told in another form. */
  readonly combined: string[] = [];
  readonly #keeping: Keeping | undefined;
  #rest: Buffer = Buffer.alloc(0);
  #listing = true;
  #old: { meta: string; oldPath?: string } | undefined;
  /** The file whose patch is being read, and how many parts of it are to come. */
  #at = -1;
  #parts = 0;
  #inHunk = false;
  #midLine = false;

  constructor(keeping?: Keeping) {
    this.#keeping = keeping;
  }

  push(chunk: Buffer): void {
    let data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = Buffer.alloc(0);
    if (this.#listing) data = this.#list(data);
    if (this.#listing || data.length === 0) {
      this.#rest = data;
      return;
    }
    const end = data.lastIndexOf(10) + 1;
    if (end > 0) this.#lines(data.subarray(0, end));
    const rest = data.subarray(end);
    if (rest.length > LONGEST_LINE) {
      this.#lines(rest);
      this.#midLine = true;
    } else this.#rest = rest;
  }

  end(): void {
    if (!this.#listing && this.#rest.length > 0) this.#lines(this.#rest);
    this.#finish();
  }

  #list(data: Buffer): Buffer {
    let from = 0;
    for (;;) {
      // A line of a diff header or an empty line between a commit and its list.
      if (this.#old === undefined && data[from] === 10) {
        from++;
        continue;
      }
      const end = data.indexOf(0, from);
      if (end === -1) {
        // A list of nothing but numbers has no patches behind it.
        return data.subarray(from);
      }
      const record = data.subarray(from, end);
      from = end + 1;
      if (this.#old !== undefined) this.#name(record);
      else if (record.length === 0) {
        this.#listing = false;
        return data.subarray(from);
      } else if (record[0] === 0x3a) this.#old = { meta: record.toString("latin1") };
      else this.#numbers(record);
    }
  }

  #name(record: Buffer): void {
    const { meta, oldPath } = this.#old ?? { meta: "" };
    const letter = /([A-Z])\d*$/.exec(meta)?.[1] ?? "M";
    const path = nameOf(record);
    if ((letter === "R" || letter === "C") && oldPath === undefined && !meta.startsWith("::")) {
      this.#old = { meta, oldPath: path };
      return;
    }
    this.#old = undefined;
    if (meta.startsWith("::")) {
      this.#unmerged.add(path);
      this.combined.push(path);
      this.files.push({ path, status: "unmerged", additions: 0, deletions: 0, binary: false });
      return;
    }
    const file = {
      path,
      ...(oldPath !== undefined && { oldPath }),
      status: WORDS[letter] ?? letter,
      additions: 0,
      deletions: 0,
      binary: false,
    };
    // One in conflict is listed twice: as such, and against one side.
    if (letter === "U") this.#unmerged.add(path);
    else if (this.#unmerged.has(path)) return;
    this.files.push(file);
  }

  #counted = 0;
  readonly #unmerged = new Set<string>();

  #numbers(record: Buffer): void {
    const [, added = "-", deleted = "-"] = /^(\d+|-)\t(\d+|-)\t/.exec(record.toString("latin1")) ?? [];
    if (!/^(?:\d+|-)\t(?:\d+|-)\t/.test(record.toString("latin1"))) {
      return; // the names of a rename, which the list has told already
    }
    const file = this.files[this.#counted++];
    if (file === undefined) return;
    file.binary = added === "-";
    file.additions = Number(added) || 0;
    file.deletions = Number(deleted) || 0;
  }

  #lines(block: Buffer): void {
    let from = 0;
    while (from < block.length) {
      const isHead = !this.#midLine && (starts(block, from, HEAD) || starts(block, from, UNMERGED));
      if (isHead) this.#next();
      const found = block.indexOf(NEXT, from);
      const end = found === -1 ? block.length : found + 1;
      this.#count(block, from, end);
      if (this.#at >= 0) this.#keeping?.add(block.subarray(from, end));
      from = end;
    }
  }

  #next(): void {
    this.#inHunk = false;
    if (this.#parts > 0) {
      this.#parts--;
      return;
    }
    this.#finish();
    this.#at++;
    while (this.combined.includes(this.files[this.#at]?.path ?? "")) this.#at++;
    const file = this.files[this.#at];
    // A file that became a link, or the like: its end and its beginning are two parts.
    this.#parts = file?.status === "typechange" ? 1 : 0;
    if (file !== undefined) this.#keeping?.begin(this.#at, file, this.files.length);
  }

  #finish(): void {
    const file = this.files[this.#at];
    if (file !== undefined && this.#at >= 0) this.#keeping?.end(file);
  }

  #count(block: Buffer, start: number, end: number): void {
    const file = this.files[this.#at];
    if (file === undefined) return;
    let from = start;
    if (this.#midLine) {
      const line = block.indexOf(10, from);
      if (line === -1 || line >= end) return;
      this.#midLine = false;
      from = line + 1;
    }
    let additions = 0;
    let deletions = 0;
    let inHunk = this.#inHunk;
    // Byte by byte: a call for each line takes longer than to look at all of them.
    for (let at = from; at < end; at++) {
      const first = block[at] ?? 0;
      if (inHunk) {
        if (first === PLUS) additions++;
        else if (first === MINUS) deletions++;
      } else if (first === AT) inHunk = true;
      else if (first === 0x42 && starts(block, at, BINARY)) file.binary = true;
      while (at < end && block[at] !== 10) at++;
    }
    this.#inHunk = inHunk;
    file.additions += additions;
    file.deletions += deletions;
  }
}

const BINARY = Buffer.from("Binary files ");

const starts = (block: Buffer, from: number, text: Buffer): boolean =>
  block.length - from >= text.length && block.compare(text, 0, text.length, from, from + text.length) === 0;
