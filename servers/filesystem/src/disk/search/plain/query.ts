// What the worker of the plain engine searches for, and the messages between the two.
import { DiskError } from "../../errors.ts";
import type { SearchEvent } from "../contents/engine.ts";
import { LINE_BREAK_ADVICE, PLAIN_TEXT_ADVICE, meansCarriageReturn, type ContentsOptions, type OutputMode } from "../contents/options.ts";

export interface PlainQuery {
  readonly pattern: RegExp;
  readonly multiline: boolean;
  readonly outputMode: OutputMode;
  readonly contextLines: number;
  /** The pattern is about carriage returns: they are part of a line. */
  readonly keepsReturns: boolean;
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

const LINE_BREAK = /(?<!\\)(?:\\\\)*\\(?:n|x0a|u000a)/i;

/** Throws for a pattern that JavaScript cannot compile. */
export function plainQuery(options: ContentsOptions): PlainQuery {
  const { pattern, literal = false, wholeWord = false, caseSensitive = true, multiline = false } = options;
  const { outputMode = "content", contextLines = 0, encoding } = options;
  const keepsReturns = meansCarriageReturn(options);
  const [, inlineFlags = "", rest = ""] = literal ? [] : (/^\(\?([ims]+)\)([^]*)$/.exec(pattern) ?? []);
  const source = literal ? escapeRegExp(pattern, keepsReturns) : (inlineFlags === "" ? pattern : rest).replaceAll("(?P<", "(?<");
  // With m, ^ and $ also match at a carriage return inside a line, as they do in ripgrep.
  const flags = new Set(["m", ...inlineFlags.split("")]);
  if (!caseSensitive) flags.add("i");
  if (multiline) flags.add("g");
  else if (!literal && LINE_BREAK.test(source)) throw new DiskError("invalid", `Pattern matches a line break: ${LINE_BREAK_ADVICE}`);
  const wanted = wholeWord ? String.raw`(?<!\w)(?:${source})(?!\w)` : source;
  return { pattern: compile(wanted, [...flags].join("")), multiline, outputMode, contextLines, keepsReturns, encoding };
}

/** Lines end with LF by the time they are searched, unless carriage returns are kept. */
function escapeRegExp(text: string, keepsReturns: boolean): string {
  const escaped = text.replaceAll("\r\n", "\n").replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return keepsReturns ? escaped.replaceAll("\n", String.raw`\r?\n`) : escaped;
}

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // Without Unicode mode a needless escape such as \- is allowed.
  }
  try {
    return new RegExp(source, flags);
  } catch (error) {
    const why = error instanceof Error ? error.message : "not a regular expression";
    throw new DiskError("invalid", `Invalid pattern: ${why}\n${PLAIN_TEXT_ADVICE}`);
  }
}
