// A reply with several files in it, which fills up: what has no room is named, and the first of that linked; what cannot even be
// named is counted.
import type { Block } from "@oarlock/server-kit";
import { jsonStringBytes } from "@oarlock/domain-kit";
import { textRoom } from "./dependencies.ts";

/** What the structured result says of a file beside its path. */
const ENTRY_BYTES = 150;
/** Links in one reply, and the part of its room that is kept for them. */
const MOST_LINKS = 20;
const LINKS_PART = 20;
const LEFT_OUT = "left out: the reply is full; read it in a call of its own";
/** Ends a text that was cut. */
export const REST = "[truncated; read the rest with read_text_file]\n";

interface File {
  path: string;
  ok: boolean;
  error?: string;
  etag?: string;
  truncated?: boolean;
}

export interface Told {
  text: string;
  file: File;
}

/** The text goes out twice, the path and the error once more. */
const weigh = ({ text, file: { path, error = "" } }: Told): number =>
  2 * (jsonStringBytes(text) + 10) + jsonStringBytes(path) + jsonStringBytes(error) + ENTRY_BYTES;

const leftOut = (path: string): Told => ({
  text: `${path}: Error - ${LEFT_OUT}`,
  file: { path, ok: false, error: LEFT_OUT, truncated: true },
});

export class FillingReply {
  readonly files: File[] = [];
  omitted = 0;
  readonly links: Block[] = [];
  readonly #texts: string[] = [];
  readonly #most: number;
  #room: number;
  #linkRoom: number;
  readonly #linked = new Set<string>();
  /** What it takes to name those that follow. */
  #names: number;
  #full = false;

  constructor(maxResultBytes: number, paths: readonly string[]) {
    this.#most = textRoom(maxResultBytes);
    this.#linkRoom = Math.floor(this.#most / LINKS_PART);
    this.#room = this.#most - this.#linkRoom;
    this.#names = paths.reduce((sum, path) => sum + weigh(leftOut(path)), 0);
  }

  /** The most bytes that the next file may have. */
  roomFor(path: string): number {
    this.#names -= weigh(leftOut(path));
    return this.#full ? 0 : Math.floor((this.#room - this.#names - weigh({ text: `${path}:${REST}`, file: { path, ok: true } })) / 2.1);
  }

  /** Returns whether it had room. */
  add(told: Told): boolean {
    const free = this.#room - this.#names;
    if (weigh(told) <= free) {
      this.#put(told);
      return true;
    }
    // Heavier than its bytes. When little is left it is not worth trying every other file.
    this.#full = free < this.#most / 10;
    this.leaveOut(told.file.path);
    return false;
  }

  /** Links to what is not whole in the reply, while there is room for it; `make` is asked once for a path. */
  link(path: string, make: () => Block | undefined): void {
    if (this.links.length >= MOST_LINKS || this.#linked.has(path)) return;
    this.#linked.add(path);
    const made = make();
    if (made === undefined) return;
    const bytes = Buffer.byteLength(JSON.stringify(made));
    if (bytes > this.#linkRoom) return;
    this.#linkRoom -= bytes;
    this.links.push(made);
  }

  leaveOut(path: string): void {
    const told = leftOut(path);
    if (weigh(told) <= this.#room) this.#put(told);
    else this.omitted += 1;
  }

  #put(told: Told): void {
    this.#room -= weigh(told);
    this.#texts.push(told.text);
    this.files.push(told.file);
  }

  get content(): string {
    const rest = this.omitted > 0 ? [`[truncated: ${this.omitted} more files are left out]`] : [];
    return [...this.#texts, ...rest].join("\n---\n");
  }
}
