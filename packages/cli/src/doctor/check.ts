// Check: one line of the report of `doctor`.
import { StartError } from "../start/start-error.ts";

/** One thing that `doctor` looked at. */
export interface Check {
  /** A short name, such as `git` or `host Cursor`. */
  readonly name: string;
  readonly ok: boolean;
  /** What was found, in one sentence without secrets. */
  readonly message: string;
  /** What to do about it. Every failed check has one. */
  readonly remedy?: string;
  /** Of a passed check that found something to know, or that was not made in full. It stands in front of the line. */
  readonly caveat?: "warning" | "not checked" | "not started";
}

export const passed = (name: string, message: string): Check => ({ name, ok: true, message });

export const noted = (name: string, caveat: NonNullable<Check["caveat"]>, message: string): Check => ({ name, ok: true, message, caveat });

export const failed = (name: string, message: string, remedy: string): Check => ({ name, ok: false, message, remedy });

/** A failed check from an error of the start, whose last sentence is the next step. `remedy`: for errors that name none. */
export function failedBy(name: string, error: unknown, remedy: string): Check {
  const text = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ").trim();
  if (!(error instanceof StartError)) return failed(name, text, remedy);
  const [, mistake, meant] = /^(.+): did you mean (.+)\?$/.exec(text) ?? [];
  if (mistake !== undefined && meant !== undefined) return failed(name, `${mistake}.`, `Write ${meant}.`);
  const [, message, nextStep] = /^(.+?[^.]\.) ([A-Z].*)$/.exec(text) ?? [];
  return failed(name, message ?? text, nextStep ?? remedy);
}
