// Writes the expectations of a conversation anew from what a server says, as snapshots are updated.
import { writeFileSync } from "node:fs";
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { differences, withHoles } from "./match.ts";
import { parsed, segments, type Player, type Segment } from "./player.ts";
import type { Step, Transcript } from "./transcript.ts";

/** How long an answer that no line announces may take while updating. */
const UNANNOUNCED_MS = 1000;
const WIDTH = 140;

/** Plays all of it, whatever comes, and writes the file when something differed. */
export async function updated(transcript: Transcript, player: Player, variables: Readonly<Record<string, string>>): Promise<void> {
  const source = transcript.source.split("\n");
  const changes: { from: number; count: number; lines: string[] }[] = [];
  for (const segment of segments(transcript.steps).flatMap(apart)) {
    for (const step of segment.sent) player.send(step);
    const came = await arrived(segment, player);
    const steps = segment.expected.filter((step) => step.kind === "expect");
    if (fits(steps, came, player, segment)) continue;
    const lines = rewritten(steps, came, player).map((message) => withNames(layOut(message), variables));
    const before = segment.sent.at(-1);
    const first = segment.expected.at(0);
    const from = first !== undefined ? first.line - 1 : before === undefined ? 0 : before.line - 1 + before.lines;
    const last = segment.expected.at(-1);
    const count = last === undefined ? 0 : last.line - 1 + last.lines - from;
    if (segment.expected.some(({ kind }) => kind === "quiet")) lines.push("∅");
    changes.push({ from, count, lines: lines.flatMap((line) => line.split("\n")) });
  }
  if (changes.length === 0) return;
  for (const { from, count, lines } of changes.reverse()) source.splice(from, count, ...lines);
  writeFileSync(transcript.file, source.join("\n"));
}

/** Messages without any expectation, as in a new file, are sent one by one, so that each gets its own answers. */
function apart(segment: Segment): Segment[] {
  return segment.expected.length > 0 ? [segment] : segment.sent.map((step) => ({ sent: [step], expected: [] }));
}

/** All that comes for a segment: what is expected, answers to what was asked, and whatever comes before a ping's. */
async function arrived({ sent, expected }: Segment, player: Player): Promise<string[]> {
  const came: string[] = [];
  const announced = expected.filter(({ kind }) => kind === "expect").length;
  const asked = sent.filter((step) => step.kind === "send" && !step.raw && isRequest(step.text)).length;
  const answers = (): number => came.filter((text) => isAnswer(parsed(text))).length;
  while (announced > 0 ? came.length < announced : answers() < asked) {
    const text = await player.next(UNANNOUNCED_MS).catch(() => undefined);
    if (text === undefined) break;
    came.push(text);
  }
  await player.flush((text) => came.push(text));
  return came;
}

const isRequest = (text: string): boolean => /"method"\s*:/.test(text) && /"id"\s*:/.test(text);
const isAnswer = (message: unknown): boolean => Array.isArray(message) || (isObject(message) && message.method === undefined);

function fits(steps: readonly Step[], came: readonly string[], player: Player, { expected }: Segment): boolean {
  if (steps.length !== came.length) return false;
  const loose = expected.some(({ kind }) => kind === "open");
  const left = came.map(parsed);
  for (const step of steps) {
    const at = left.findIndex((message) => differences(player.expectation(step), message, player.kept).length === 0);
    if (at === -1 || (at > 0 && !loose)) return false;
    left.splice(at, 1);
  }
  return true;
}

/** What came, each with the holes of the first unused expectation that is about the same. */
function rewritten(steps: readonly Step[], came: readonly string[], player: Player): unknown[] {
  const left = steps.map((step) => player.expectation(step));
  return came.map((text) => {
    const message = parsed(text);
    const at = left.findIndex((expected) => about(expected) === about(message));
    const [expected] = at === -1 ? [undefined] : left.splice(at, 1);
    const kept = withHoles(expected, message);
    differences(kept, message, player.kept);
    return kept;
  });
}

const about = (message: unknown): string =>
  isObject(message) ? `${String(message.method)} ${typeof message.id} ${String(message.id)}` : "array";

/** A message as lines of the file: one where it fits, else members on lines of their own. */
export function layOut(message: unknown): string {
  return `← ${block(message, 2)}`;
}

/** Closers stand behind the last line, and a long last member begins on the line of those before it. */
function block(value: unknown, indent: number): string {
  const flat = JSON.stringify(value);
  if (flat.length + indent <= WIDTH || typeof value !== "object" || value === null) return flat;
  const below = (texts: readonly string[]): string => texts.map((text) => `\n${" ".repeat(indent + 2)}${text}`).join(",");
  if (Array.isArray(value)) return `[${below(value.map((item) => block(item, indent + 2)))}]`;
  const entries = Object.entries(value as Json); // an object, and no array
  const [key, last] = entries.at(-1) ?? ["", undefined];
  const head = entries.slice(0, -1).map(([name, item]) => `${JSON.stringify(name)}:${JSON.stringify(item)},`);
  if (head.join("").length + indent <= WIDTH / 2) return `{${head.join("")}${JSON.stringify(key)}:${block(last, indent)}}`;
  return `{${below(entries.map(([name, item]) => `${JSON.stringify(name)}:${block(item, indent + 2)}`))}}`;
}

function withNames(text: string, variables: Readonly<Record<string, string>>): string {
  let named = text;
  for (const [name, value] of Object.entries(variables)) named = named.replaceAll(JSON.stringify(value).slice(1, -1), `{{${name}}}`);
  return named;
}
