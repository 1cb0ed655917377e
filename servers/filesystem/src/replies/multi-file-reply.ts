// A reply with several files, filled up to its budget. A file without room is named, and the first of them are linked; a file that
// cannot even be named is counted.
import { clip, counted, escapeControls, jsonStringBytes } from "@oarlock/domain-kit";
import { text, type Block } from "@oarlock/server-kit";
/** Members of a file in the structured result, beside its path. */
const ENTRY_BYTES = 150;
/** Beside the path, in the line about the encoding and the line endings of a file. */
const FACTS_BYTES = 100;
const MAX_LINKS = 20;
/** One part in so many of the budget is kept for links. */
const LINK_SHARE = 20;
const LEFT_OUT = "left out: the reply is full; read it in a call of its own";
/** Files that the first line of a cut reply names, and how much of their paths; a smaller reply only counts them. */
const MAX_NAMED = 5;
const MAX_PATH_LENGTH = 200;
const MIN_BYTES_FOR_NAMES = 20_000;

/** Ends a text that was cut. */
export const truncated = (nextOffset?: number, nextColumn?: number): string => {
  const column = nextColumn === undefined ? "" : `, startColumn ${nextColumn}`;
  return `[truncated; read the rest with read_text_file${nextOffset === undefined ? "" : `, offset ${nextOffset}`}${column}]\n`;
};

interface FileEntry {
  path: string;
  ok: boolean;
  error?: string;
  etag?: string;
  truncated?: boolean;
  /** The line to continue with. */
  nextOffset?: number;
}

export interface FileReply {
  text: string;
  file: FileEntry;
  /** What a reader would not expect of the file. */
  facts?: string;
}

/** The text goes out twice, the path and the error once more. */
const bytesOf = ({ text, file: { path, error = "" }, facts = "" }: FileReply): number =>
  2 * (jsonStringBytes(text) + 10) +
  jsonStringBytes(path) +
  jsonStringBytes(error) +
  (facts === "" ? 0 : jsonStringBytes(path) + FACTS_BYTES) +
  ENTRY_BYTES;

const leftOut = (path: string): FileReply => ({
  text: `${escapeControls(path)}: Error - ${LEFT_OUT}`,
  file: { path, ok: false, error: LEFT_OUT, truncated: true },
});

export class MultiFileReply {
  readonly files: FileEntry[] = [];
  /** Files that have no room even for their names. */
  omitted = 0;
  readonly links: Block[] = [];
  readonly #facts: string[] = [];
  readonly #texts: string[] = [];
  readonly #incomplete: string[] = [];
  readonly #budget: number;
  #bytesLeft: number;
  #linkBytesLeft: number;
  readonly #linkedPaths = new Set<string>();
  /** Bytes to name all files that follow. */
  #bytesForNames: number;
  #isFull = false;

  /** `budget`: bytes for all texts, in both of their copies, and the facts about the files. */
  constructor(budget: number, paths: readonly string[]) {
    this.#budget = budget;
    this.#linkBytesLeft = Math.floor(this.#budget / LINK_SHARE);
    this.#bytesLeft = this.#budget - this.#linkBytesLeft;
    this.#bytesForNames = paths.reduce((sum, path) => sum + bytesOf(leftOut(path)), 0);
  }

  /** Begins the next file; returns the most bytes of its text. */
  nextBudget(path: string): number {
    this.#bytesForNames -= bytesOf(leftOut(path));
    if (this.#isFull) return 0;
    const frame = bytesOf({ text: `${escapeControls(path)}:${truncated(Number.MAX_SAFE_INTEGER)}`, file: { path, ok: true } });
    return Math.floor((this.#bytesLeft - this.#bytesForNames - frame) / 2.1);
  }

  /** Adds a file, where there is room with its facts; or its name. Returns whether the file had room. */
  add(reply: FileReply): boolean {
    const free = this.#bytesLeft - this.#bytesForNames;
    const { text, file } = reply;
    const fitting = [reply, { text, file }].find((one) => bytesOf(one) <= free);
    if (fitting !== undefined) {
      this.#put(fitting);
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
    else {
      this.omitted += 1;
      this.#incomplete.push(clip(reply.file.path, MAX_PATH_LENGTH));
    }
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

  /** The text is that of the reference server; links and facts are blocks of their own. */
  get blocks(): Block[] {
    return [text(this.content), ...this.links, ...(this.#facts.length > 0 ? [text(this.#facts.join("\n"))] : [])];
  }

  get content(): string {
    const rest = this.omitted > 0 ? [`[truncated: ${counted(this.omitted, "more file")} left out]`] : [];
    return this.#firstLine() + [...this.#texts, ...rest].join("\n---\n");
  }

  /** Which files are not complete: a host may cut the end of a long reply. */
  #firstLine(): string {
    const count = this.#incomplete.length;
    if (count === 0) return "";
    const named = this.#budget < MIN_BYTES_FOR_NAMES ? [] : this.#incomplete.slice(0, MAX_NAMED);
    const rest = count - named.length;
    const files = [...named, ...(rest === 0 ? [] : [counted(rest, named.length > 0 ? "more file" : "file")])];
    return `[truncated: read with read_text_file what is not complete here: ${files.join(", ")}]\n`;
  }

  #put(reply: FileReply): void {
    this.#bytesLeft -= bytesOf(reply);
    this.#texts.push(reply.text);
    if (reply.file.truncated === true) {
      const next = reply.file.nextOffset === undefined ? "" : ` from offset ${reply.file.nextOffset}`;
      this.#incomplete.push(clip(reply.file.path, MAX_PATH_LENGTH) + next);
    }
    this.files.push(reply.file);
    if (reply.facts) this.#facts.push(`${escapeControls(reply.file.path)}: ${reply.facts}`);
  }
}
