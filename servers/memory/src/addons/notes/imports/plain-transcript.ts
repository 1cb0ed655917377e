// A transcript in plain text or Markdown: paragraphs that begin with who speaks, such as `User:`, `**Assistant:**` or `## You`.
import type { ImportedGraph } from "./imported-graph.ts";
import { addTranscript, timeOf, type Message } from "./transcripts.ts";

const USER = "user|human|you|me";
const ASSISTANT = "assistant|ai|bot|chatgpt|claude|gemini|copilot|model|gpt-?[\\w.]{0,20}";
/** `[2026-05-01 10:00] User: text`, `**User**: text`, `## Assistant`, in a line without blanks at its end. Takes time in proportion to the line. */
const SPEAKER = new RegExp(
  String.raw`^(?:[[(]?(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?Z?)[\])]?\s+)?(?:#{1,6}\s+|\*\*|__)?(${USER}|${ASSISTANT}|system)(?: said)?(?:(?:\*\*|__)?\s*:(?:\*\*|__)?|(?:\*\*|__)$|$(?<=^#.*))[ \t]*(.*)$`,
  "is",
);
const MIN_MESSAGES = 2;
const HEAD_LINES = 400;

export const isPlainTranscript = (text: string): boolean =>
  text.split("\n", HEAD_LINES).filter((line) => SPEAKER.test(line.trimEnd())).length >= MIN_MESSAGES;

/** `title`: the name of the file. */
export function importPlainTranscript(text: string, title: string, graph: ImportedGraph): void {
  const messages: { role: string; at: number | undefined; lines: string[] }[] = [];
  let before = 0;
  for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    const [, time, speaker, rest = ""] = SPEAKER.exec(line.trimEnd()) ?? [];
    if (speaker !== undefined)
      messages.push({ role: roleOf(speaker), at: time === undefined ? undefined : timeOf(toIso(time)), lines: [rest] });
    else if (messages.length > 0) messages.at(-1)?.lines.push(line);
    else if (line.trim() !== "") before++;
  }
  if (before > 0) graph.skip("line 1", `${before} lines before the first speaker`);
  const texts = messages.map(({ role, at, lines }): Message => ({ role, at, text: lines.join("\n") }));
  addTranscript(graph, { title, id: "", messages: texts, where: "the file" });
}

const toIso = (time: string): string => `${time.replace(" ", "T").replace(/Z$/, "")}Z`;

function roleOf(speaker: string): string {
  if (new RegExp(`^(?:${USER})$`, "i").test(speaker)) return "user";
  return /^system$/i.test(speaker) ? "system" : "assistant";
}
