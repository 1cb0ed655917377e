// Parses the output of `git diff --raw -z` with `-p` or `--numstat` while it comes in: first the list of files, then their patches or
// numbers. Every file is listed and its lines are counted, whether its patch is kept or not.
import { nameToText } from "../text/file-names.ts";
import type { FileDiff, PatchReceiver } from "./file-diff.ts";

const STATUS_WORDS: Readonly<Record<string, string>> = {
  A: "added",
  M: "modified",
  D: "deleted",
  R: "renamed",
  C: "copied",
  T: "typechange",
  U: "unmerged",
};

const PATCH_START = Buffer.from("diff --git ");
const NEXT_PATCH_START = Buffer.from("\ndiff --git ");
const UNMERGED_START = Buffer.from("* Unmerged path ");
const BINARY_NOTICE = Buffer.from("Binary files ");
/** Longer lines are handed on in pieces. */
const MAX_LINE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
const PLUS = 0x2b;
const MINUS = 0x2d;
const COLON = 0x3a;
const AT_SIGN = 0x40;
const LETTER_B = 0x42;

export class DiffParser {
  readonly files: FileDiff[] = [];
  /** The ids of each file's content before and after, as git prints them. */
  readonly objectIds = new Map<FileDiff, readonly [before: string, after: string]>();
  /** Paths in conflict, which git prints in a format of their own (combined diff). */
  readonly combined: string[] = [];
  readonly #receiver: PatchReceiver | undefined;
  readonly #unmerged = new Set<string>();
  /** An incomplete record or line. */
  #rest: Buffer = Buffer.alloc(0);
  #isInList = true;
  /** The entry of the list whose names follow. */
  #entry: { readonly meta: string; readonly oldPath?: string } | undefined;
  #numberedFiles = 0;
  /** The file whose patch is being read; -1 before the first one. */
  #index = -1;
  /** Further patches that belong to the same file. */
  #partsLeft = 0;
  #isInHunk = false;
  #isMidLine = false;

  /** Without a receiver patches are only counted. */
  constructor(receiver?: PatchReceiver) {
    this.#receiver = receiver;
  }

  push(chunk: Buffer): void {
    let data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = Buffer.alloc(0);
    if (this.#isInList) data = this.#readList(data);
    if (this.#isInList || data.length === 0) {
      this.#rest = data;
      return;
    }
    const end = data.lastIndexOf(NEWLINE) + 1;
    if (end > 0) this.#readPatches(data.subarray(0, end));
    const rest = data.subarray(end);
    if (rest.length > MAX_LINE_BYTES) {
      this.#readPatches(rest);
      this.#isMidLine = true;
    } else this.#rest = rest;
  }

  end(): void {
    if (!this.#isInList && this.#rest.length > 0) this.#readPatches(this.#rest);
    this.#endFile();
  }

  /** Reads records that end with NUL; returns what follows the last complete one, or the list. */
  #readList(data: Buffer): Buffer {
    let from = 0;
    for (;;) {
      // An empty line separates a commit from its list.
      if (this.#entry === undefined && data[from] === NEWLINE) {
        from++;
        continue;
      }
      const end = data.indexOf(0, from);
      if (end === -1) return data.subarray(from);
      const record = data.subarray(from, end);
      from = end + 1;
      if (this.#entry !== undefined) this.#readName(record);
      else if (record.length === 0) {
        this.#isInList = false;
        return data.subarray(from);
      } else if (record[0] === COLON) this.#entry = { meta: record.toString("latin1") };
      else this.#readNumbers(record);
    }
  }

  #readName(record: Buffer): void {
    const { meta, oldPath } = this.#entry ?? { meta: "" };
    const letter = /([A-Z])\d*$/.exec(meta)?.[1] ?? "M";
    const path = nameToText(record);
    const isCombined = meta.startsWith("::");
    if ((letter === "R" || letter === "C") && oldPath === undefined && !isCombined) {
      this.#entry = { meta, oldPath: path };
      return;
    }
    this.#entry = undefined;
    if (isCombined) this.combined.push(path);
    // A file in conflict is listed twice: as unmerged, and against one side.
    else if (letter !== "U" && this.#unmerged.has(path)) return;
    if (isCombined || letter === "U") this.#unmerged.add(path);
    const status = isCombined ? "unmerged" : (STATUS_WORDS[letter] ?? letter);
    const file = { path, ...(oldPath !== undefined && { oldPath }), status, additions: 0, deletions: 0, binary: false };
    const [, , before = "", after = ""] = meta.split(" ");
    this.objectIds.set(file, [before, after]);
    this.files.push(file);
  }

  #readNumbers(record: Buffer): void {
    const [, added, deleted] = /^(\d+|-)\t(\d+|-)\t/.exec(record.toString("latin1")) ?? [];
    // Records without numbers are the names of a rename, which the list has already.
    if (added === undefined) return;
    const file = this.files[this.#numberedFiles++];
    if (file === undefined) return;
    file.binary = added === "-";
    file.additions = Number(added) || 0;
    file.deletions = Number(deleted) || 0;
  }

  #readPatches(block: Buffer): void {
    let from = 0;
    while (from < block.length) {
      const isStart = !this.#isMidLine && (startsWith(block, from, PATCH_START) || startsWith(block, from, UNMERGED_START));
      if (isStart) this.#beginPatch();
      const next = block.indexOf(NEXT_PATCH_START, from);
      const end = next === -1 ? block.length : next + 1;
      this.#countLines(block, from, end);
      if (this.#index >= 0) this.#receiver?.add(block.subarray(from, end));
      from = end;
    }
  }

  #beginPatch(): void {
    this.#isInHunk = false;
    if (this.#partsLeft > 0) {
      this.#partsLeft--;
      return;
    }
    this.#endFile();
    this.#index++;
    while (this.combined.includes(this.files[this.#index]?.path ?? "")) this.#index++;
    const file = this.files[this.#index];
    // A file that became a link has two patches: a deletion and an addition.
    this.#partsLeft = file?.status === "typechange" ? 1 : 0;
    if (file !== undefined) this.#receiver?.begin(this.#index, this.files.length);
  }

  #endFile(): void {
    const file = this.files[this.#index];
    if (file !== undefined) this.#receiver?.end(file);
  }

  #countLines(block: Buffer, start: number, end: number): void {
    const file = this.files[this.#index];
    if (file === undefined) return;
    let at = start;
    if (this.#isMidLine) {
      const newline = block.indexOf(NEWLINE, at);
      if (newline === -1 || newline >= end) return;
      this.#isMidLine = false;
      at = newline + 1;
    }
    // Byte by byte: a call of indexOf for each line takes longer.
    for (; at < end; at++) {
      const first = block[at] ?? 0;
      if (this.#isInHunk) {
        if (first === PLUS) file.additions++;
        else if (first === MINUS) file.deletions++;
      } else if (first === AT_SIGN) this.#isInHunk = true;
      else if (first === LETTER_B && startsWith(block, at, BINARY_NOTICE)) file.binary = true;
      while (at < end && block[at] !== NEWLINE) at++;
    }
  }
}

const startsWith = (block: Buffer, from: number, text: Buffer): boolean =>
  block.length - from >= text.length && block.compare(text, 0, text.length, from, from + text.length) === 0;
