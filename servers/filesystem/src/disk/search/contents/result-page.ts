// The second step of a search for contents: from the names of files to what is shown of them. Each is opened through the door, and
// ripgrep gets the open files, a few at a time.
import { readSync } from "node:fs";
import type { Area, FileHandle } from "../../access/area.ts";
import { DiskError } from "../../errors.ts";
import { REPLY_BYTES, wireBytes } from "../../text/reply-size.ts";
import { Blocks } from "../ripgrep/multiline-blocks.ts";
import { MatchPage, type Match } from "./match-page.ts";
import { Messages } from "../ripgrep/messages.ts";
import { filesArguments, limitOf, MULTILINE_BYTES, type ContentsOptions } from "./options.ts";
import type { Runs } from "./search-runs.ts";

export interface Counted {
  readonly path: string;
  /** Lines that match; where matches may span lines, those on which one begins. */
  readonly count: number;
}

/** A file behind which, and in it a line behind which, a page goes on. */
export interface Place {
  readonly name: string;
  readonly line: number;
}

export interface Found {
  readonly names: readonly string[];
  readonly more: boolean;
  path(name: string): string;
  /** Files looked into, and those that match, on all pages. */
  searched: number;
  matched: number;
}

/** Files held open at a time; the first ones often fill a page. */
const [FIRST_HELD, MOST_HELD] = [16, 64];

interface Opened {
  readonly name: string;
  readonly path: string;
  readonly file: FileHandle;
}

/** The second step: from the names to what is shown. */
export class Page {
  readonly files: Counted[] = [];
  next: Place | undefined;
  readonly #area: Area;
  readonly #options: ContentsOptions;
  readonly #runs: Runs;
  readonly #found: Found;
  readonly #from: Place | undefined;
  readonly #limit: number;
  readonly #maxBytes: number;
  readonly #page: MatchPage;
  #bytes = 0;

  constructor(area: Area, options: ContentsOptions, runs: Runs, found: Found, from: Place | undefined) {
    this.#area = area;
    this.#options = options;
    this.#runs = runs;
    this.#found = found;
    this.#from = from;
    this.#limit = limitOf(options);
    this.#maxBytes = options.maxBytes ?? REPLY_BYTES;
    this.#page = new MatchPage({ limit: this.#limit, maxBytes: this.#maxBytes, contextLines: options.contextLines ?? 0 });
  }

  get matches(): readonly Match[] {
    return this.#page.matches;
  }

  async fill(): Promise<void> {
    const { names, more } = this.#found;
    let held = FIRST_HELD;
    for (let at = 0; at < names.length && this.next === undefined; at += held, held = MOST_HELD) {
      if (at > 0 && this.#runs.timedOut) break;
      await this.#search(names.slice(at, at + held));
    }
    const last = names.at(-1);
    if (more && this.next === undefined && last !== undefined) this.next = { name: last, line: Number.MAX_SAFE_INTEGER };
  }

  async #search(names: readonly string[]): Promise<void> {
    const files: Opened[] = [];
    try {
      for (const name of names) {
        const path = this.#found.path(name);
        const file = this.#open(path);
        if (file !== undefined) {
          files.push({ name, path, file });
          continue;
        }
        this.#found.searched -= 1;
        this.#found.matched -= 1;
      }
      await this.#searchIn(files);
    } finally {
      for (const { file } of files) file[Symbol.dispose]();
    }
  }

  async #searchIn(files: readonly Opened[]): Promise<void> {
    const ground = { fds: files.map(({ file }) => file.fd) };
    if (ground.fds.length === 0) return;
    const matching = new Set<string>();
    const fileOf = new Map<string, { name: string; path: string }>();
    const nameAll = (nameOf: (index: number) => string): string[] =>
      files.map((file, index) => {
        fileOf.set(nameOf(index), file);
        return nameOf(index);
      });
    const args = (nameOf: (index: number) => string) => filesArguments(this.#options, nameAll(nameOf));
    await this.#runs.run(ground, args, this.#reader(fileOf, matching));
    // What does not match through the door was never in there.
    if (this.next === undefined && !this.#runs.timedOut) this.#found.matched -= files.length - matching.size;
  }

  #open(path: string): FileHandle | undefined {
    try {
      const file = this.#area.file(path);
      const fits = this.#options.multiline !== true || file.stat.size <= MULTILINE_BYTES;
      if (file.path === path && fits && isText(file)) return file;
      file[Symbol.dispose]();
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
    return undefined;
  }

  #reader(fileOf: ReadonlyMap<string, { name: string; path: string }>, matching: Set<string>): (chunk: Buffer) => boolean {
    const { outputMode = "content", multiline = false } = this.#options;
    if (outputMode === "content") return this.#matches(fileOf, matching);
    return outputMode === "count" && multiline ? this.#countBlocks(fileOf, matching) : this.#counts(fileOf, matching);
  }

  #matches(fileOf: ReadonlyMap<string, { name: string; path: string }>, matching: Set<string>): (chunk: Buffer) => boolean {
    const from = this.#from;
    this.#page.expect((name) => {
      const file = fileOf.get(name);
      matching.add(name);
      return file && { path: file.path, after: file.name === from?.name ? from.line : 0 };
    });
    const messages =
      this.#options.multiline === true ? new Blocks(this.#page.take, this.#options.contextLines ?? 0) : new Messages(this.#page.take);
    return (chunk) => {
      const ended = messages.push(chunk);
      if (ended) this.next = this.#behindLast(fileOf);
      return ended;
    };
  }

  #behindLast(fileOf: ReadonlyMap<string, { name: string; path: string }>): Place | undefined {
    const last = this.matches.at(-1);
    if (last === undefined) return this.#from;
    const name = [...fileOf.values()].find(({ path }) => path === last.path)?.name ?? this.#lastName(last.path);
    return { name, line: last.line };
  }

  /** The last match may be of an earlier group of files. */
  #lastName(path: string): string {
    return this.#found.names.find((name) => this.#found.path(name) === path) ?? "";
  }

  /** `NAME NUL`, and behind it, where lines are counted, `COUNT newline`. */
  #counts(fileOf: ReadonlyMap<string, { name: string; path: string }>, matching: Set<string>): (chunk: Buffer) => boolean {
    const isCounted = this.#options.outputMode === "count";
    let rest = "";
    return (chunk) => {
      rest += chunk.toString("latin1");
      for (const [whole, name = "", count = "0"] of rest.matchAll(isCounted ? /([^\0]*)\0(\d+)\r?\n/g : /([^\0]*)\0/g)) {
        rest = rest.slice(whole.length);
        const file = fileOf.get(name);
        if (file === undefined) continue;
        matching.add(name);
        if (this.#tell(file.path, Number(count))) return true;
      }
      return false;
    };
  }

  /** What ripgrep counts by itself are matches; the lines that they begin on may be fewer. */
  #countBlocks(fileOf: ReadonlyMap<string, { path: string }>, matching: Set<string>): (chunk: Buffer) => boolean {
    let file: { path: string } | undefined;
    let count = 0;
    const blocks = new Blocks((message) => {
      if (message.type === "match") count += 1;
      if (message.type === "begin") {
        count = 0;
        matching.add(message.name);
        file = fileOf.get(message.name);
      }
      return message.type === "end" && file !== undefined && this.#tell(file.path, count);
    }, 0);
    return (chunk) => blocks.push(chunk);
  }

  /** Returns true, and where to go on, when there is no room. */
  #tell(path: string, count: number): boolean {
    if (this.#isFull(path)) {
      this.next = { name: this.#lastName(this.files.at(-1)?.path ?? ""), line: 0 };
      return true;
    }
    this.files.push({ path, count });
    return false;
  }

  #isFull(path: string): boolean {
    this.#bytes += 3 * wireBytes(path) + 40;
    return this.files.length >= this.#limit || (this.#bytes > this.#maxBytes && this.files.length > 0);
  }
}

/** Where ripgrep looks for a NUL before anything else. Its versions differ in what they say of a match before the NUL. */
const BINARY_BYTES = 65_536;
const start = Buffer.alloc(BINARY_BYTES);

function isText({ fd }: FileHandle): boolean {
  const bytes = start.subarray(0, readSync(fd, start, 0, BINARY_BYTES, 0));
  const isWide = bytes.length > 1 && ["fffe", "feff"].includes(bytes.toString("hex", 0, 2));
  return isWide || !bytes.includes(0);
}
