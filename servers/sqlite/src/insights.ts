// Insights that a model notes down: a file of our own for each set of databases, never the user's database. A line of it is one
// insight in JSON, appended in one write, so that several servers can note at the same time.
import { closeSync, openSync, readFileSync, readSync, statSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { ToolError } from "@oarlock/server-kit";
import { counted } from "./db/counted.ts";
import { makeFolders } from "./folders.ts";

const MOST = 1000;
const LONGEST = 20_000;
/** More than this is not read from the file. */
const MOST_BYTES = 8_000_000;
/** How often the file is looked at while somebody listens, in milliseconds. */
const EVERY_MS = 500;

/** The folder for data of programs of this user. */
function dataFolder(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_STATE_HOME?.startsWith("/") === true) return join(XDG_STATE_HOME, "oarlock", "sqlite");
  return LOCALAPPDATA === undefined ? join(homedir(), ".local", "state", "oarlock", "sqlite") : join(LOCALAPPDATA, "oarlock", "sqlite");
}

/** Where the insights into these databases are kept. */
export function insightsFile(files: readonly string[]): string {
  // Not imported above: it takes longer to load than all the rest of the start.
  const { createHash } = process.getBuiltinModule("node:crypto");
  const name = createHash("sha256").update(JSON.stringify(files.toSorted())).digest("hex").slice(0, 32);
  return join(dataFolder(), `${name}.insights.jsonl`);
}

export class Insights {
  readonly #place: (() => string) | undefined;
  #path: string | undefined;
  /** Kept here alone when there is no file, or it cannot be written. */
  readonly #unwritten: string[] = [];
  readonly #watchers = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #stamp = "";

  /** Without a file the insights last as long as the server. */
  constructor(place?: () => string) {
    this.#place = place;
  }

  get #file(): string | undefined {
    return (this.#path ??= this.#place?.());
  }

  /** Adds one and gives how many there are. */
  add(insight: string): { count: number; kept: boolean } {
    if (insight.trim() === "") throw new ToolError("insight: expected a text, got blanks");
    if (insight.length > LONGEST) throw new ToolError(`insight: has ${insight.length} characters; at most ${LONGEST} are kept`);
    const before = this.all().length;
    const line = Buffer.from(`${JSON.stringify(insight)}\n`);
    if (before >= MOST || this.#size() + line.length >= MOST_BYTES)
      throw new ToolError(
        `There are ${before} insights already, and no more are kept; begin with other databases, or empty the file of insights`,
      );
    const kept = this.#append(line);
    if (!kept) this.#unwritten.push(insight);
    this.#stamp = this.#look();
    for (const changed of this.#watchers) changed();
    return { count: before + 1, kept };
  }

  all(): string[] {
    return [...this.#read(), ...this.#unwritten];
  }

  /** The memo in the form of the well-known server, cut to what fits. */
  memo(maxBytes: number): string {
    const all = this.all();
    if (all.length === 0) return "No business insights have been discovered yet.";
    const head = "📊 Business Intelligence Memo 📊\n\nKey Insights Discovered:\n";
    const rest =
      all.length > 1
        ? `\n\nSummary:\nAnalysis has revealed ${all.length} key business insights that suggest opportunities for strategic optimization and growth.`
        : "";
    // A line of the memo is an insight, whatever is in it.
    const lines = all.map((insight) => `\n- ${insight.replaceAll(/\s*[\r\n\v\f\u0085\u2028\u2029]+\s*/g, " ")}`);
    let left = maxBytes - 1000;
    const fitting = lines.findIndex((line) => (left -= Buffer.byteLength(JSON.stringify(line))) < 0);
    const shown =
      fitting === -1
        ? lines.join("")
        : `${lines.slice(0, fitting).join("")}\n[truncated: ${counted(lines.length - fitting, "more insight")}]`;
    return head + shown + rest;
  }

  /** Calls `changed` when there are more, whoever noted them. */
  watch(changed: () => void): () => void {
    const watcher = (): void => changed();
    this.#watchers.add(watcher);
    if (this.#timer === undefined && this.#file !== undefined) {
      this.#stamp = this.#look();
      this.#timer = setInterval(() => this.#compare(), EVERY_MS).unref();
    }
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.close();
    };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#watchers.clear();
  }

  #compare(): void {
    const stamp = this.#look();
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    for (const changed of this.#watchers) changed();
  }

  #look(): string {
    if (this.#file === undefined) return "";
    try {
      const { mtimeMs, size } = statSync(this.#file);
      return `${mtimeMs} ${size}`;
    } catch {
      return ""; // not there, or its folder is closed at the moment
    }
  }

  #size(): number {
    try {
      return this.#file === undefined ? 0 : (statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0);
    } catch {
      return 0; // its folder is closed: nothing will be written either
    }
  }

  #append(line: Buffer): boolean {
    if (this.#file === undefined) return false;
    try {
      makeFolders(dirname(this.#file), 0o700);
      const descriptor = openSync(this.#file, "a+", 0o600);
      try {
        // A line that was never ended, by an editor or a full disk, would take this one with it.
        const bytes = endsOpen(descriptor, this.#size()) ? Buffer.concat([Buffer.from("\n"), line]) : line;
        return writeSync(descriptor, bytes) === bytes.length;
      } finally {
        closeSync(descriptor);
      }
    } catch {
      return false;
    }
  }

  #read(): string[] {
    if (this.#file === undefined) return [];
    try {
      if (this.#size() > MOST_BYTES) return [];
      return readFileSync(this.#file, "utf8")
        .split("\n")
        .flatMap((line) => insightIn(line));
    } catch {
      return [];
    }
  }
}

function endsOpen(descriptor: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last.toString() !== "\n";
}

/** A line that is no insight is left out. */
function insightIn(line: string): string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "string" ? [value] : [];
  } catch {
    return [];
  }
}
