// A reply with several files, filled up to its budget. A file without room is named, and the first of them are linked; a file that
// cannot even be named is counted.
import { counted, escapeControls, jsonStringBytes } from "@oarlock/domain-kit";
import type { Block } from "@oarlock/server-kit";
import { textBudget } from "./dependencies.ts";

/** Members of a file in the structured result, beside its path. */
const ENTRY_BYTES = 150;
const MAX_LINKS = 20;
/** One part in so many of the budget is kept for links. */
const LINK_SHARE = 20;
const LEFT_OUT = "left out: the reply is full; read it in a call of its own";
/** Ends a text that was cut. */
export const TRUNCATED = "[truncated; read the rest with read_text_file]\n";

interface FileEntry {
  path: string;
  ok: boolean;
  error?: string;
  etag?: string;
  truncated?: boolean;
}

export interface FileReply {
  text: string;
  file: FileEntry;
}

/** The text goes out twice, the path and the error once more. */
const bytesOf = ({ text, file: { path, error = "" } }: FileReply): number =>
  2 * (jsonStringBytes(text) + 10) + jsonStringBytes(path) + jsonStringBytes(error) + ENTRY_BYTES;

const leftOut = (path: string): FileReply => ({
  text: `${escapeControls(path)}: Error - ${LEFT_OUT}`,
  file: { path, ok: false, error: LEFT_OUT, truncated: true },
});

export class MultiFileReply {
  readonly files: FileEntry[] = [];
  /** Files that have no room even for their names. */
  omitted = 0;
  readonly links: Block[] = [];
  readonly #texts: string[] = [];
  readonly #budget: number;
  #bytesLeft: number;
  #linkBytesLeft: number;
  readonly #linkedPaths = new Set<string>();
  /** Bytes to name all files that follow. */
  #bytesForNames: number;
  #isFull = false;

  constructor(maxResultBytes: number, paths: readonly string[]) {
    this.#budget = textBudget(maxResultBytes);
    this.#linkBytesLeft = Math.floor(this.#budget / LINK_SHARE);
    this.#bytesLeft = this.#budget - this.#linkBytesLeft;
    this.#bytesForNames = paths.reduce((sum, path) => sum + bytesOf(leftOut(path)), 0);
  }

  /** Begins the next file; returns the most bytes of its text. */
  nextBudget(path: string): number {
    this.#bytesForNames -= bytesOf(leftOut(path));
    if (this.#isFull) return 0;
    const frame = bytesOf({ text: `${escapeControls(path)}:${TRUNCATED}`, file: { path, ok: true } });
    return Math.floor((this.#bytesLeft - this.#bytesForNames - frame) / 2.1);
  }

  /** Adds a file, or its name where it has no room. Returns whether it had room. */
  add(reply: FileReply): boolean {
    const free = this.#bytesLeft - this.#bytesForNames;
    if (bytesOf(reply) <= free) {
      this.#put(reply);
      return true;
    }
    // When little is left, reading the other files is not worth the time.
    this.#isFull = free < this.#budget / 10;
    this.leaveOut(reply.file.path);
    return false;
  }

  leaveOut(path: string): void {
    const reply = leftOut(path);
    if (bytesOf(reply) <= this.#bytesLeft) this.#put(reply);
    else this.omitted += 1;
  }

  /** Links a file that is not complete in the reply, while there is room for links; `make` is called once for a path. */
  link(path: string, make: () => Block | undefined): void {
    if (this.links.length >= MAX_LINKS || this.#linkedPaths.has(path)) return;
    this.#linkedPaths.add(path);
    const block = make();
    if (block === undefined) return;
    const bytes = Buffer.byteLength(JSON.stringify(block));
    if (bytes > this.#linkBytesLeft) return;
    this.#linkBytesLeft -= bytes;
    this.links.push(block);
  }

  get content(): string {
    const rest = this.omitted > 0 ? [`[truncated: ${counted(this.omitted, "more file")} left out]`] : [];
    return [...this.#texts, ...rest].join("\n---\n");
  }

  #put(reply: FileReply): void {
    this.#bytesLeft -= bytesOf(reply);
    this.#texts.push(reply.text);
    this.files.push(reply.file);
  }
}
