// Which patches of a diff are shown: in their order, until the budget is used up. Lock files and what is generated are only counted
// when they are long, as nobody reads them; one file by itself is shown in pieces.
import { textOf } from "../text/file-names.ts";
import type { FileDiff } from "./diff-parser.ts";
import { wireBytes } from "../text/json-size.ts";

export interface Omitted {
  readonly path: string;
  readonly reason: "budget" | "oversized" | "lock file" | "generated";
}

export interface Keeping {
  begin(index: number, file: FileDiff, total: number): void;
  add(bytes: Buffer): void;
  end(file: FileDiff): void;
}

/** Where a page begins: at a file, and for one that is shown in pieces, so many bytes into its patch. */
export interface Place {
  readonly index: number;
  readonly offset: number;
}

const LOCK =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|Gemfile\.lock|composer\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|pdm\.lock|go\.sum|flake\.lock|mix\.lock|pubspec\.lock|Podfile\.lock|gradle\.lockfile|packages\.lock\.json|deno\.lock)$/;
const GENERATED = /\.(?:min\.(?:js|css)|(?:js|css)\.map|pb\.go|g\.dart|snap)$|(?:^|\/)(?:dist|vendor|node_modules)\//;
/** Shorter patches of such files are shown like any other. */
const LONG = 4096;

export class Budget implements Keeping {
  readonly omitted: Omitted[] = [];
  /** Where the next page begins. */
  next: Place | undefined;
  readonly #most: number;
  readonly #from: Place;
  /** Asked for by name: shown whatever it is. */
  readonly #named: boolean;
  #room: number;
  /** The same of what the patches weigh in JSON, once. */
  readonly #wireMost: number;
  #wire: number;
  #parts: Buffer[] = [];
  #size = 0;
  #index = 0;
  #alone = false;

  constructor(most: number, wire: number, from: Place, named: boolean) {
    this.#most = most;
    this.#room = most;
    this.#wireMost = wire;
    this.#wire = wire;
    this.#from = from;
    this.#named = named;
  }

  begin(index: number, _file: FileDiff, total: number): void {
    this.#index = index;
    this.#alone = total === 1;
    this.#parts = [];
    this.#size = 0;
  }

  get #isOn(): boolean {
    return this.#index >= this.#from.index && this.next === undefined;
  }

  add(bytes: Buffer): void {
    const skipped = this.#alone ? Math.max(0, this.#from.offset - this.#size) : 0;
    this.#size += bytes.length;
    if (!this.#isOn || this.#size - (this.#alone ? this.#from.offset : 0) - bytes.length > this.#most) return;
    if (skipped < bytes.length) this.#parts.push(skipped === 0 ? bytes : bytes.subarray(skipped));
  }

  end(file: FileDiff): void {
    if (this.#index < this.#from.index) return;
    const reason = this.#reasonFor(file);
    if (reason !== undefined) {
      this.omitted.push({ path: file.path, reason });
      return;
    }
    const patch = Buffer.concat(this.#parts);
    const whole = patch.length === this.#size - (this.#alone ? this.#from.offset : 0);
    this.#parts = [];
    const text = textOf(patch);
    const weight = wireBytes(text);
    if (whole && patch.length <= this.#room && weight <= this.#wire) {
      file.patch = text;
      this.#room -= patch.length;
      this.#wire -= weight;
    } else if (this.#alone) this.#piece(file, patch);
    else if (weight > this.#wireMost) this.omitted.push({ path: file.path, reason: "oversized" });
    else {
      this.next = { index: this.#index, offset: 0 };
      this.omitted.push({ path: file.path, reason: "budget" });
    }
  }

  /** Whole lines, as many as there is room for; of a line that is longer its beginning. */
  #piece(file: FileDiff, patch: Buffer): void {
    let most = this.#room;
    for (;;) {
      const end = patch.lastIndexOf(10, most - 1) + 1 || cleanCut(patch, most);
      file.patch = textOf(patch.subarray(0, end));
      this.next = { index: this.#index, offset: this.#from.offset + end };
      if (most < 64 || wireBytes(file.patch) <= this.#wire) return;
      most = Math.floor(Math.min(most, end) / 2);
    }
  }

  #reasonFor({ path }: FileDiff): Omitted["reason"] | undefined {
    if (this.next !== undefined) return "budget";
    if (this.#alone) return undefined;
    if (!this.#named && this.#size > LONG) {
      if (LOCK.test(path)) return "lock file";
      if (GENERATED.test(path)) return "generated";
    }
    if (this.#size > this.#most) return "oversized";
    if (this.#size <= this.#room) return undefined;
    this.next = { index: this.#index, offset: 0 };
    return "budget";
  }
}

/** Not within a character. */
function cleanCut(bytes: Buffer, most: number): number {
  let end = Math.min(most, bytes.length);
  while (end > 1 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}
