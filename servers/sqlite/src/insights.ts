// Insights that a model notes: a file for each set of databases, never the user's database. Each line is one insight in JSON, appended in
// one write, so that several servers can add to the same file.
import { closeSync, openSync, readFileSync, readSync, statSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { counted, makeFolders, reportChange } from "@oarlock/domain-kit";
import { refusal } from "./db/errors.ts";

const MAX_INSIGHTS = 1000;
const MAX_LENGTH = 20_000;
const MAX_FILE_BYTES = 8_000_000;
const POLL_MS = 500;

/** The folder for data of this user's programs. */
function dataFolder(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_STATE_HOME?.startsWith("/") === true) return join(XDG_STATE_HOME, "oarlock", "sqlite");
  return LOCALAPPDATA === undefined ? join(homedir(), ".local", "state", "oarlock", "sqlite") : join(LOCALAPPDATA, "oarlock", "sqlite");
}

/** The default file for the insights into these databases. */
export function insightsFile(databaseFiles: readonly string[]): string {
  // Loaded on first use: an import of node:crypto takes 4 ms of the server's start.
  const { createHash } = process.getBuiltinModule("node:crypto");
  const name = createHash("sha256").update(JSON.stringify(databaseFiles.toSorted())).digest("hex").slice(0, 32);
  return join(dataFolder(), `${name}.insights.jsonl`);
}

export class Insights {
  readonly #findFile: (() => string) | undefined;
  #path: string | undefined;
  /** Insights that could not be written. They last as long as the server. */
  readonly #unsaved: string[] = [];
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #stamp = "";

  /** @param findFile Finds the file on first use. Default: insights last as long as the server. */
  constructor(findFile?: () => string) {
    this.#findFile = findFile;
  }

  get #file(): string | undefined {
    return (this.#path ??= this.#findFile?.());
  }

  /** Adds an insight. Returns how many there are, and whether it is saved in the file. */
  add(insight: string): { count: number; isSaved: boolean } {
    if (insight.trim() === "") throw refusal("Invalid insight: expected a text, got blanks.");
    if (insight.length > MAX_LENGTH)
      throw refusal(`Invalid insight: it has ${insight.length} characters, the limit is ${MAX_LENGTH}. Shorten it.`);
    const before = this.all().length;
    const line = Buffer.from(`${JSON.stringify(insight)}\n`);
    if (before >= MAX_INSIGHTS || this.#fileBytes() + line.length >= MAX_FILE_BYTES)
      throw refusal(`The memo is full: it has ${counted(before, "insight")}. Empty the file of insights, or use --insights FILE.`);
    const isSaved = this.#append(line);
    if (!isSaved) this.#unsaved.push(insight);
    this.#stamp = this.#fileStamp();
    for (const changed of this.#listeners) changed();
    return { count: before + 1, isSaved };
  }

  all(): string[] {
    return [...this.#read(), ...this.#unsaved];
  }

  /** The memo in the format of the reference server, cut to `maxBytes`. */
  memo(maxBytes: number): string {
    const all = this.all();
    if (all.length === 0) return "No business insights have been discovered yet.";
    const heading = "📊 Business Intelligence Memo 📊\n\nKey Insights Discovered:\n";
    const summary =
      all.length > 1
        ? `\n\nSummary:\nAnalysis has revealed ${all.length} key business insights that suggest opportunities for strategic optimization and growth.`
        : "";
    // Each line of the memo is one insight, whatever line breaks an insight has.
    const lines = all.map((insight) => `\n- ${insight.replaceAll(/\s*[\r\n\v\f\u0085\u2028\u2029]+\s*/g, " ")}`);
    let left = maxBytes - 1000;
    const cutAt = lines.findIndex((line) => (left -= Buffer.byteLength(JSON.stringify(line))) < 0);
    const listed = cutAt === -1 ? lines : [...lines.slice(0, cutAt), `\n[truncated: ${counted(lines.length - cutAt, "more insight")}]`];
    return heading + listed.join("") + summary;
  }

  /** Calls `changed` after each addition by any program. Returns a function that stops the watch. */
  watch(changed: () => void): () => void {
    const listener = (): void => changed();
    this.#listeners.add(listener);
    if (this.#timer === undefined && this.#file !== undefined) {
      this.#stamp = this.#fileStamp();
      this.#timer = setInterval(() => this.#poll(), POLL_MS).unref();
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.close();
    };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#listeners.clear();
  }

  #poll(): void {
    const stamp = this.#fileStamp();
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    for (const changed of this.#listeners) changed();
  }

  #fileStamp(): string {
    if (this.#file === undefined) return "";
    try {
      const { mtimeMs, size } = statSync(this.#file);
      return `${mtimeMs} ${size}`;
    } catch {
      return ""; // missing, or its folder may not be read now
    }
  }

  #fileBytes(): number {
    try {
      return this.#file === undefined ? 0 : (statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0);
    } catch {
      return 0; // its folder may not be read, so nothing will be written either
    }
  }

  #append(line: Buffer): boolean {
    if (this.#file === undefined) return false;
    try {
      makeFolders(dirname(this.#file), 0o700);
      reportChange([this.#file]);
      const descriptor = openSync(this.#file, "a+", 0o600);
      try {
        // An editor or a full disk may have left the last line without its end; this line must not become a part of it.
        const bytes = lacksLineEnd(descriptor, this.#fileBytes()) ? Buffer.concat([Buffer.from("\n"), line]) : line;
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
      if (this.#fileBytes() > MAX_FILE_BYTES) return [];
      return readFileSync(this.#file, "utf8")
        .split("\n")
        .flatMap((line) => parseLine(line));
    } catch {
      return [];
    }
  }
}

function lacksLineEnd(descriptor: number, bytes: number): boolean {
  const last = Buffer.alloc(1);
  return bytes > 0 && readSync(descriptor, last, 0, 1, bytes - 1) === 1 && last.toString() !== "\n";
}

/** Lines that are not insights are skipped. */
function parseLine(line: string): string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "string" ? [value] : [];
  } catch {
    return [];
  }
}
