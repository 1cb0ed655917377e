// Errors in the log of a server under test. A client sees only "Internal error (ref …)", so a failed test would not show the cause.
import { LOG_LEVELS, type LogLevel } from "@oarlock/server-kit/protocol";

/** Receives one entry of the log with its stack: `Error: ref 7040: TypeError: …`. */
export type ErrorListener = (entry: string) => void;

/** Also associates the entry with the running test. */
export const printError: ErrorListener = (entry) => console.error(entry);

const SEVERE: readonly LogLevel[] = LOG_LEVELS.slice(LOG_LEVELS.indexOf("error"));

/** The log of a server that this process serves. */
export function errorLog(listener: ErrorListener): (level: LogLevel, data: unknown) => void {
  return (level, data) => {
    if (SEVERE.includes(level)) listener(`${labelOf(level)}: ${typeof data === "string" ? data : JSON.stringify(data)}`);
  };
}

/** Finds the errors on stderr of a server built with `@oarlock/cli`: a line with the level, and indented lines that continue it. */
export class StderrErrors {
  readonly #listener: ErrorListener;
  #rest = "";
  #entry: string[] = [];
  #isInError = false;

  constructor(listener: ErrorListener) {
    this.#listener = listener;
  }

  push(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#line(line);
    // The server writes an entry with all its lines at once. Where the pipe splits it all the same, its rest is one more entry.
    if (this.#rest === "") this.#report();
  }

  #line(line: string): void {
    const continues = line.startsWith("  ");
    if (!continues) {
      this.#report();
      this.#isInError = isErrorLine(line);
    }
    if (this.#isInError) this.#entry.push(line);
  }

  #report(): void {
    if (this.#entry.length > 0) this.#listener(this.#entry.join("\n"));
    this.#entry = [];
  }
}

/** Text, or JSON of `--log-format json`. */
const isErrorLine = (line: string): boolean =>
  SEVERE.some((level) => line.startsWith(`${labelOf(level)}: `) || (line.startsWith("{") && line.includes(`"level":"${level}"`)));

const labelOf = (level: LogLevel): string => `${level.charAt(0).toUpperCase()}${level.slice(1)}`;
