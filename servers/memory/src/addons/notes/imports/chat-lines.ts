// The lines of a plain transcript: `Name: text`, with a time before or after the name, or on a line of its own above the turns.
import type { ImportedGraph } from "./imported-graph.ts";
import type { Message } from "./transcripts.ts";
import { dateIn, type LineDate } from "./line-dates.ts";

/** What stands before the name: a time in brackets or before a dash, or marks of Markdown. Takes time in proportion to the line. */
const SPEAKER =
  /^(?:[[(]([^\])]{4,40})[\])]\s*-?\s*|(\d[^:[\]]{3,20}\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?)[,\s]+-?\s*)?(?:#{1,6}\s+|\*\*|__)?([\p{L}][\p{L}\p{M}\p{N} .'_-]{0,39}?)(?:\s*[[(]([^\])]{4,40})[\])])?(?:\*\*|__)?\s*:(?:\*\*|__)?(?!\/\/)(?:\s+|$)(.*)$/iu;
const MAX_NAME_WORDS = 4;
const MAX_DATE_LINE_LENGTH = 80;
/** A line that is only a date may also number the session. */
const WORDS_OF_DATE_LINE =
  /\b(?:session|chat|conversation|day|date|on|at|the|am|pm|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b|[\d\s\p{P}\p{S}]/giu;
const KNOWN = /^(?:user|human|you|me|assistant|ai|bot|chatgpt|claude|gemini|copilot|model)$/i;

interface Line {
  readonly name: string;
  readonly date: LineDate | undefined;
  readonly text: string;
}

export function chatLines(text: string, graph: ImportedGraph): Message[] {
  const lines = text.split(/\r?\n/);
  const parsed = lines.map(parseLine);
  const isSpeaker = speakersAmong(parsed);
  const messages: { role: string; at: number | undefined; lines: string[] }[] = [];
  let day: number | undefined;
  let before = 0;
  for (const [index, line] of lines.entries()) {
    const turn = parsed[index];
    const heading = turn === undefined ? dateLine(line) : undefined;
    if (turn !== undefined && isSpeaker(turn)) {
      const { date, name } = turn;
      if (date?.day !== undefined) day = date.day;
      const at = day === undefined ? undefined : day + (date?.time ?? 0);
      messages.push({ role: name, at, lines: [turn.text] });
    } else if (heading?.day !== undefined) day = heading.day + (heading.time ?? 0);
    else if (messages.length > 0) messages.at(-1)?.lines.push(line);
    else if (line.trim() !== "") before++;
  }
  if (before > 0) graph.skip("line 1", `${before} lines before the first speaker`);
  return messages.map(({ role, at, lines }) => ({ role, at, text: lines.join("\n") }));
}

function parseLine(line: string): Line | undefined {
  const [, bracketed, plain, name, behind, text = ""] = SPEAKER.exec(line.trimEnd().replace(/^\u200e/, "")) ?? [];
  if (name === undefined || name.trim().split(/\s+/).length > MAX_NAME_WORDS) return undefined;
  const given = bracketed ?? plain ?? behind;
  return { name: name.trim(), date: given === undefined ? undefined : dateIn(given), text };
}

/**
 * What stands before a colon is a speaker where it has a date, is well known, or speaks again; in a short chat, whoever it is. Where no turn
 * has a date, one capitalized word is too.
 */
function speakersAmong(lines: readonly (Line | undefined)[]): (line: Line) => boolean {
  const counts = new Map<string, number>();
  for (const line of lines) if (line !== undefined) counts.set(line.name, (counts.get(line.name) ?? 0) + 1);
  const isShort = [...counts.values()].every((count) => count < 2);
  const hasDates = lines.some((line) => line?.date !== undefined);
  const isName = (name: string): boolean => KNOWN.test(name) || (counts.get(name) ?? 0) > 1 || (!hasDates && /^\p{Lu}\S*$/u.test(name));
  return ({ name, date }) => isShort || date !== undefined || isName(name);
}

function dateLine(line: string): LineDate | undefined {
  if (line.length > MAX_DATE_LINE_LENGTH) return undefined;
  const date = dateIn(line);
  return date !== undefined && line.replace(date.written, "").replaceAll(WORDS_OF_DATE_LINE, "") === "" ? date : undefined;
}
