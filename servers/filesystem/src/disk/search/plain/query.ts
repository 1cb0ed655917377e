// What the worker of the plain engine searches for, and the messages between the two.
import { DiskError } from "../../errors.ts";
import type { SearchEvent } from "../contents/engine.ts";
import { LINE_BREAK_ADVICE, type ContentsOptions, type OutputMode } from "../contents/options.ts";

export interface PlainQuery {
  readonly pattern: RegExp;
  readonly multiline: boolean;
  readonly outputMode: OutputMode;
  readonly contextLines: number;
  /** That of all files; undefined: by their marks and contents. */
  readonly encoding: string | undefined;
}

export interface WorkerInput {
  readonly query: PlainQuery;
  /** Counts the batches that were read; the worker waits for it, so that it never runs far ahead of its reader. */
  readonly batchesRead: Int32Array<SharedArrayBuffer>;
}

/** To the worker. */
export interface SearchRequest {
  readonly fds: readonly number[];
}

/** From the worker. */
export interface EventBatch {
  readonly events: readonly SearchEvent[];
  /** The last batch of a request. */
  readonly isLast: boolean;
}

const LINE_BREAK = /(?<!\\)(?:\\\\)*\\(?:[nr]|x0[ad]|u000[ad])/i;

/** Throws for a pattern that JavaScript cannot compile. */
export function plainQuery(options: ContentsOptions): PlainQuery {
  const { pattern, literal = false, caseSensitive = true, multiline = false, outputMode = "content", contextLines = 0, encoding } = options;
  const [, inlineFlags = "", rest = ""] = literal ? [] : (/^\(\?([ims]+)\)([^]*)$/.exec(pattern) ?? []);
  const source = literal ? escapeRegExp(pattern) : (inlineFlags === "" ? pattern : rest).replaceAll("(?P<", "(?<");
  // With m, ^ and $ also match at a carriage return inside a line, as they do in ripgrep.
  const flags = new Set(["m", ...inlineFlags.split("")]);
  if (!caseSensitive) flags.add("i");
  if (multiline) flags.add("g");
  else if (!literal && LINE_BREAK.test(source)) throw new DiskError("invalid", `Pattern matches a line break: ${LINE_BREAK_ADVICE}`);
  return { pattern: compile(source, [...flags].join("")), multiline, outputMode, contextLines, encoding };
}

/** Lines end with LF by the time they are searched. */
const escapeRegExp = (text: string): string => text.replaceAll("\r\n", "\n").replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // Without Unicode mode a needless escape such as \- is allowed.
  }
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new DiskError("invalid", `Invalid pattern: ${error instanceof Error ? error.message : "not a regular expression"}`);
  }
}
