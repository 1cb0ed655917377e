// The second step of a search by content: from the names of matching files to what is shown of them. Each file is opened through the
// sandbox, and the engine searches the open files, a few at a time.
import { jsonStringBytes } from "@oarlock/domain-kit";
import type { Sandbox, FileHandle } from "../../access/sandbox.ts";
import { DiskError } from "../../errors.ts";
import { REPLY_BYTES } from "../../text/reply-size.ts";
import type { SearchEvent } from "./engine.ts";
import { MatchPage, type Match } from "./match-page.ts";
import { limitOf, MAX_MULTILINE_BYTES, type ContentsOptions } from "./options.ts";
import type { Skipped } from "./skipped-files.ts";
import { searchEncoding, type SearchEncoding } from "./text-check.ts";
import type { TimedEngine } from "./timed-engine.ts";

export interface CountedFile {
  readonly path: string;
  /** Lines that match; where matches may span lines, those on which a match begins. */
  readonly count: number;
}

/** Where a page ends: the file, and the last line of it that was shown. */
export interface Position {
  readonly name: string;
  readonly line: number;
}

/** The matching files, as the first step found them. */
export interface Candidates {
  /** In order, from the position of the cursor on. */
  readonly names: readonly string[];
  /** More names follow. */
  readonly hasMore: boolean;
  path(name: string): string;
  /** What was left out, and why. */
  skipped(): Promise<Skipped>;
  /** Files searched, and those of them that match, on all pages. */
  searched: number;
  matched: number;
  /** Files that --lockdown hides. */
  readonly hidden: number;
}

/** Files held open at a time; the first group often fills a page. */
const [FIRST_GROUP, GROUP] = [16, 64];
/** Punctuation of a file in the structured result. */
const FILE_BYTES = 40;

interface OpenFile {
  readonly name: string;
  readonly path: string;
  readonly file: FileHandle;
  readonly encoding: SearchEncoding;
}

export class ResultPage {
  readonly files: CountedFile[] = [];
  /** Where the next page begins; undefined on the last one. */
  next: Position | undefined;
  readonly #sandbox: Sandbox;
  readonly #options: ContentsOptions;
  readonly #engine: TimedEngine;
  readonly #candidates: Candidates;
  readonly #from: Position | undefined;
  readonly #limit: number;
  readonly #maxBytes: number;
  readonly #matchPage: MatchPage;
  #bytes = 0;

  constructor(sandbox: Sandbox, options: ContentsOptions, engine: TimedEngine, candidates: Candidates, from: Position | undefined) {
    this.#sandbox = sandbox;
    this.#options = options;
    this.#engine = engine;
    this.#candidates = candidates;
    this.#from = from;
    this.#limit = limitOf(options);
    this.#maxBytes = options.maxBytes ?? REPLY_BYTES;
    this.#matchPage = new MatchPage({ limit: this.#limit, maxBytes: this.#maxBytes, contextLines: options.contextLines ?? 0 });
  }

  get matches(): readonly Match[] {
    return this.#matchPage.matches;
  }

  async fill(): Promise<void> {
    const { names, hasMore } = this.#candidates;
    let group = FIRST_GROUP;
    for (let at = 0; at < names.length && this.next === undefined; at += group, group = GROUP) {
      if (at > 0 && this.#engine.timedOut) break;
      await this.#searchGroup(names.slice(at, at + group));
    }
    const last = names.at(-1);
    if (hasMore && this.next === undefined && last !== undefined) this.next = { name: last, line: Number.MAX_SAFE_INTEGER };
  }

  async #searchGroup(names: readonly string[]): Promise<void> {
    const files: OpenFile[] = [];
    try {
      for (const name of names) {
        const path = this.#candidates.path(name);
        const opened = this.#open(path);
        if (opened !== undefined) {
          files.push({ name, path, ...opened });
          continue;
        }
        this.#candidates.searched -= 1;
        this.#candidates.matched -= 1;
      }
      for (const run of runsOf(files)) if (this.next === undefined) await this.#searchOpen(run);
    } finally {
      for (const { file } of files) file[Symbol.dispose]();
    }
  }

  #open(path: string): Pick<OpenFile, "file" | "encoding"> | undefined {
    try {
      const file = this.#sandbox.file(path);
      const fits = this.#options.multiline !== true || file.stat.size <= MAX_MULTILINE_BYTES;
      const encoding = searchEncoding(file.fd, this.#options.encoding);
      if (file.path === path && fits && encoding !== undefined) return { file, encoding };
      file[Symbol.dispose]();
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
    return undefined;
  }

  async #searchOpen(files: readonly OpenFile[]): Promise<void> {
    const matching = new Set<OpenFile>();
    let current: OpenFile | undefined;
    const onEvent = (event: SearchEvent): boolean => {
      if (event.type === "begin") {
        current = files[event.file];
        if (current !== undefined) matching.add(current);
      }
      return current !== undefined && this.#add(event, current);
    };
    const encoding = files[0]?.encoding ?? "by-mark";
    const options = encoding === "by-mark" ? this.#options : { ...this.#options, encoding };
    await this.#engine.searchFiles({ fds: files.map(({ file }) => file.fd), options, onEvent });
    // A candidate that does not match through its open file matched by another file under its name.
    if (this.next === undefined && !this.#engine.timedOut) this.#candidates.matched -= files.length - matching.size;
  }

  /** Returns true when the page is full. */
  #add(event: SearchEvent, { name, path }: OpenFile): boolean {
    if ((this.#options.outputMode ?? "content") !== "content") return event.type === "end" && this.#addFile(path, event.count);
    const linesBefore = name === this.#from?.name ? this.#from.line : 0;
    if (!this.#matchPage.add(event, path, linesBefore)) return false;
    const last = this.matches.at(-1);
    this.next = last === undefined ? this.#from : { name: this.#nameOf(last.path), line: last.line };
    return true;
  }

  #addFile(path: string, count: number): boolean {
    this.#bytes += 3 * jsonStringBytes(path) + FILE_BYTES;
    if (this.files.length >= this.#limit || (this.#bytes > this.#maxBytes && this.files.length > 0)) {
      this.next = { name: this.#nameOf(this.files.at(-1)?.path ?? ""), line: 0 };
      return true;
    }
    this.files.push({ path, count });
    return false;
  }

  #nameOf(path: string): string {
    return this.#candidates.names.find((name) => this.#candidates.path(name) === path) ?? "";
  }
}

/** Files that follow each other in the same encoding: a run of the engine has one. */
function runsOf(files: readonly OpenFile[]): OpenFile[][] {
  const runs: OpenFile[][] = [];
  for (const file of files) {
    const last = runs.at(-1);
    if (last?.[0]?.encoding === file.encoding) last.push(file);
    else runs.push([file]);
  }
  return runs;
}
