// Insights that a model notes: a file for each set of databases, never the user's database. Each line is one insight in JSON, appended in
// one write, so that several servers can add to the same file.
import { counted } from "@oarlock/domain-kit";
import { refusal } from "./db/errors.ts";
import { InsightsFile, MAX_FILE_BYTES } from "./insights-file.ts";

const MAX_INSIGHTS = 1000;
const MAX_LENGTH = 20_000;
const POLL_MS = 500;

export class Insights {
  readonly #findFile: (() => string) | undefined;
  #known: InsightsFile | undefined;
  /** Insights that could not be written. They last as long as the server. */
  readonly #unsaved: string[] = [];
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #stamp = "";

  /** @param findFile Finds the file on first use. Default: insights last as long as the server. */
  constructor(findFile?: () => string) {
    this.#findFile = findFile;
  }

  get #file(): InsightsFile | undefined {
    if (this.#findFile !== undefined) this.#known ??= new InsightsFile(this.#findFile());
    return this.#known;
  }

  /** Adds an insight. Returns how many there are, and whether it is saved in the file. */
  add(insight: string): { count: number; isSaved: boolean } {
    if (insight.trim() === "") throw refusal("Invalid insight: expected a text, got blanks.");
    if (insight.length > MAX_LENGTH)
      throw refusal(`Invalid insight: it has ${insight.length} characters, the limit is ${MAX_LENGTH}. Shorten it.`);
    const before = this.all().length;
    const line = Buffer.from(`${JSON.stringify(insight)}\n`);
    if (before >= MAX_INSIGHTS || (this.#file?.bytes ?? 0) + line.length >= MAX_FILE_BYTES)
      throw refusal(`The memo is full: it has ${counted(before, "insight")}. Empty the file of insights, or use --insights FILE.`);
    const isSaved = this.#file?.append(line) === true;
    if (!isSaved) this.#unsaved.push(insight);
    this.#stamp = this.#file?.stamp ?? "";
    for (const changed of this.#listeners) changed();
    return { count: before + 1, isSaved };
  }

  all(): string[] {
    return [...(this.#file?.lines() ?? []).flatMap((line) => parseLine(line)), ...this.#unsaved];
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
      this.#stamp = this.#file?.stamp ?? "";
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
    const stamp = this.#file?.stamp ?? "";
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    for (const changed of this.#listeners) changed();
  }
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
