// The server's own log: lines on stderr, for people or for machines. stdout is not ours.
import { LOG_LEVELS, type LogLevel } from "@oarlock/server-kit/protocol";

export interface LogOptions {
  name: string;
  from: LogLevel;
  format: "text" | "json";
}

export type LogSink = (level: LogLevel, data: unknown) => void;

/** Longest entry, in characters, and most entries a second: a host may read stderr slowly, and a write waits for it. */
const LONGEST = 16_384;
const PER_SECOND = 200;

/** Makes the log. What a server logs is data: it ends no line of ours and steers no terminal. */
export function stderrLog({ name, from, format }: LogOptions): LogSink {
  const least = severity(from);
  const mayWrite = limitPerSecond(PER_SECOND);
  const lineOf = format === "json" ? jsonLine : textLine;
  let dropped = 0;
  return (level, data) => {
    if (severity(level) < least) return;
    if (!mayWrite()) return void dropped++;
    if (dropped > 0) process.stderr.write(lineOf("warning", `${dropped} log entries left out: more than ${PER_SECOND} a second`, name));
    dropped = 0;
    process.stderr.write(lineOf(level, data, name));
  };
}

/** How severe a level is: the greater the worse. */
const severity = (level: LogLevel): number => LOG_LEVELS.indexOf(level);

/** Allows `count` calls within each second of the clock. */
function limitPerSecond(count: number): () => boolean {
  let second = 0;
  let used = 0;
  return () => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) [second, used] = [now, 0];
    return used++ < count;
  };
}

/** `Warning: no such folder`; what is only worth knowing goes without a label. */
export function textLine(level: LogLevel, data: unknown): string {
  const label = level === "notice" ? "" : `${level.charAt(0).toUpperCase()}${level.slice(1)}: `;
  return `${label}${clip(describe(data)).replaceAll(/\p{Cc}/gu, escapeControl)}\n`;
}

function jsonLine(level: LogLevel, data: unknown, name: string): string {
  const entry = { time: new Date().toISOString(), level, name };
  const text = describe(data);
  const isPlain = typeof data === "string" || data instanceof Error || text.length > LONGEST;
  if (isPlain) return `${JSON.stringify({ ...entry, msg: clip(text) })}\n`;
  return `${JSON.stringify(entry).slice(0, -1)},"data":${text}}\n`;
}

function describe(data: unknown): string {
  if (typeof data === "string") return data;
  if (data instanceof Error) return data.stack ?? data.message;
  try {
    return JSON.stringify(data) ?? "null";
  } catch {
    return '"(cannot be shown)"'; // cyclic, too deep, or with a BigInt in it
  }
}

function escapeControl(character: string): string {
  if (character === "\n") return "\n  ";
  return character === "\t" ? "\t" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const clip = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`);
