// Log on stderr: lines of text for people, or lines of JSON for programs.
import { escapeControlsInJson, escapeForTerminal } from "@oarlock/domain-kit";
import { LOG_LEVELS, traceIdOf, type LogLevel, type TraceContext } from "@oarlock/server-kit/protocol";
import type { Environment, TextStream } from "./process/environment.ts";
import { redact, redactMember } from "./redaction.ts";

export interface LogOptions {
  name: string;
  /** The least severe level that is written. */
  from: LogLevel;
  format: "text" | "json";
  /** Default: stderr of this process. */
  to?: TextStream;
}

/** `trace`: the trace context of the request that the entry is about. */
export type LogSink = (level: LogLevel, data: unknown, trace?: TraceContext) => void;

/** The log of a process. */
export interface StderrLog extends LogSink {
  /** Writes debug entries too from now on, or again only those of the level that it was created with. Returns the level. */
  toggleDebug(): LogLevel;
}

/** A host may read stderr slowly, and a write waits for it: entries are cut and limited. */
const MAX_ENTRY_LENGTH = 16_384;
const MAX_ENTRIES_PER_SECOND = 200;

/** Creates the log. Further lines of logged data are indented, it sends no control characters to a terminal, and secrets of known forms are replaced. */
export function stderrLog({ name, from, format, to = process.stderr }: LogOptions): StderrLog {
  let least = from;
  const mayWrite = limitPerSecond(MAX_ENTRIES_PER_SECOND);
  const toLine = lineOf[format];
  let dropped = 0;
  const write: LogSink = (level, data, trace) => {
    if (severityOf(level) < severityOf(least)) return;
    // The reason of a crash is written in any case.
    if (severityOf(level) < severityOf("critical") && !mayWrite()) return void dropped++;
    if (dropped > 0) to.write(toLine("warning", `Dropped ${dropped} log entries: more than ${MAX_ENTRIES_PER_SECOND} per second.`, name));
    dropped = 0;
    to.write(toLine(level, data, name, trace));
  };
  return Object.assign(write, { toggleDebug: () => (least = least === "debug" ? from : "debug") });
}

/** The greater, the more severe. */
const severityOf = (level: LogLevel): number => LOG_LEVELS.indexOf(level);

/** Allows `count` calls in each second of the clock. */
function limitPerSecond(count: number): () => boolean {
  let second = 0;
  let calls = 0;
  return () => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) [second, calls] = [now, 0];
    return calls++ < count;
  };
}

/** One entry in each format. */
export const lineOf = { text: textLine, json: jsonLine };

/** The requested format, even if the rest of the command line is invalid. */
export function logFormatOf(args: readonly string[], env: Environment): LogOptions["format"] {
  const asked = args.flatMap((arg, at) =>
    arg === "--log-format" ? [args[at + 1]] : arg.startsWith("--log-format=") ? [arg.slice(13)] : [],
  );
  return (asked.at(-1) ?? env.OARLOCK_LOG_FORMAT) === "json" ? "json" : "text";
}

/** `Warning: no such folder`; a notice has no label. */
function textLine(level: LogLevel, data: unknown, _name: string, trace?: TraceContext): string {
  const label = level === "notice" ? "" : `${level.charAt(0).toUpperCase()}${level.slice(1)}: `;
  const suffix = trace === undefined ? "" : ` trace_id=${traceIdOf(trace)}`;
  return `${label}${escapeForTerminal(redact(clip(toText(data)))).replaceAll("\n", "\n  ")}${suffix}\n`;
}

function jsonLine(level: LogLevel, data: unknown, name: string, trace?: TraceContext): string {
  const entry = { time: new Date().toISOString(), level, name, ...(trace !== undefined && { trace_id: traceIdOf(trace) }) };
  const text = toText(data);
  const isMessage = typeof data === "string" || data instanceof Error || text.length > MAX_ENTRY_LENGTH;
  if (isMessage) return `${escapeControlsInJson(JSON.stringify({ ...entry, msg: redact(clip(text)) }))}\n`;
  return `${escapeControlsInJson(`${JSON.stringify(entry).slice(0, -1)},"data":${text}}`)}\n`;
}

function toText(data: unknown): string {
  if (typeof data === "string") return data;
  if (data instanceof Error) return data.stack ?? data.message;
  try {
    return JSON.stringify(data, (key, value: unknown) => (typeof value === "string" ? redactMember(key, clip(value)) : value)) ?? "null";
  } catch {
    return '"(cannot be shown)"'; // cyclic, too deep, or with a BigInt in it
  }
}

const clip = (text: string): string =>
  text.length <= MAX_ENTRY_LENGTH ? text : `${text.slice(0, MAX_ENTRY_LENGTH)}… (${text.length} characters)`;
