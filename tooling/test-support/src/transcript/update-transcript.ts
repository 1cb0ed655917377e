// Updates the expectations of a transcript from the messages of a server, as snapshots are updated.
import { writeFileSync } from "node:fs";
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { differences, withHoles } from "./message-match.ts";
import { parseOrWrap, segmentsOf, type Segment, type TranscriptPlayer } from "./transcript-player.ts";
import type { Step, Transcript } from "./transcript.ts";

/** Deadline of a message that no expectation announces. */
const UNANNOUNCED_DEADLINE_MS = 1000;
const MAX_LINE_CHARACTERS = 140;

/** Plays the whole transcript and writes the file if a message differed. */
export async function updateTranscript(
  transcript: Transcript,
  player: TranscriptPlayer,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const source = transcript.source.split("\n");
  const changes: { from: number; count: number; lines: string[] }[] = [];
  for (const segment of segmentsOf(transcript.steps).flatMap(splitUnannounced)) {
    for (const step of segment.sent) player.send(step);
    const received = await receive(segment, player);
    const steps = segment.expected.filter((step) => step.kind === "expect");
    if (matches(steps, received, player, segment)) continue;
    const lines = newExpectations(steps, received, player).map((message) => withVariableNames(formatExpectation(message), variables));
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

/** Sends messages without an expectation, as in a new file, one by one, so that each is followed by its responses. */
function splitUnannounced(segment: Segment): Segment[] {
  return segment.expected.length > 0 ? [segment] : segment.sent.map((step) => ({ sent: [step], expected: [] }));
}

/** All messages of the server for a segment: up to the expected number or the responses to its requests, and those before a ping's response. */
async function receive({ sent, expected }: Segment, player: TranscriptPlayer): Promise<string[]> {
  const received: string[] = [];
  const announced = expected.filter(({ kind }) => kind === "expect").length;
  const requests = sent.filter((step) => step.kind === "send" && !step.raw && isRequest(step.text)).length;
  const responses = (): number => received.filter((text) => isResponse(parseOrWrap(text))).length;
  while (announced > 0 ? received.length < announced : responses() < requests) {
    const text = await player.next(UNANNOUNCED_DEADLINE_MS).catch(() => undefined);
    if (text === undefined) break;
    received.push(text);
  }
  await player.flush((text) => received.push(text));
  return received;
}

const isRequest = (text: string): boolean => /"method"\s*:/.test(text) && /"id"\s*:/.test(text);
const isResponse = (message: unknown): boolean => Array.isArray(message) || (isObject(message) && message.method === undefined);

function matches(steps: readonly Step[], received: readonly string[], player: TranscriptPlayer, { expected }: Segment): boolean {
  if (steps.length !== received.length) return false;
  const inAnyOrder = expected.some(({ kind }) => kind === "open");
  const remaining = received.map(parseOrWrap);
  for (const step of steps) {
    const at = remaining.findIndex((message) => differences(player.expectation(step), message, player.captured).length === 0);
    if (at === -1 || (at > 0 && !inAnyOrder)) return false;
    remaining.splice(at, 1);
  }
  return true;
}

/** The received messages as expectations, each with the holes of the first unused expectation with the same method and id. */
function newExpectations(steps: readonly Step[], received: readonly string[], player: TranscriptPlayer): unknown[] {
  const remaining = steps.map((step) => player.expectation(step));
  return received.map((text) => {
    const message = parseOrWrap(text);
    const at = remaining.findIndex((expected) => keyOf(expected) === keyOf(message));
    const [expected] = at === -1 ? [undefined] : remaining.splice(at, 1);
    const expectation = withHoles(expected, message);
    differences(expectation, message, player.captured);
    return expectation;
  });
}

const keyOf = (message: unknown): string =>
  isObject(message) ? `${String(message.method)} ${typeof message.id} ${String(message.id)}` : "array";

/** A message as lines of the file: one line if it fits, otherwise its members on lines of their own. */
export function formatExpectation(message: unknown): string {
  return `← ${formatValue(message, 2)}`;
}

/** Closing brackets follow the last line directly, and a long last member begins on the line of the members before it. */
function formatValue(value: unknown, indent: number): string {
  const flat = JSON.stringify(value);
  if (flat.length + indent <= MAX_LINE_CHARACTERS || typeof value !== "object" || value === null) return flat;
  const below = (texts: readonly string[]): string => texts.map((text) => `\n${" ".repeat(indent + 2)}${text}`).join(",");
  if (Array.isArray(value)) return `[${below(value.map((item) => formatValue(item, indent + 2)))}]`;
  const entries = Object.entries(value as Json); // an object, not an array
  const [key, last] = entries.at(-1) ?? ["", undefined];
  const head = entries.slice(0, -1).map(([name, item]) => `${JSON.stringify(name)}:${JSON.stringify(item)},`);
  if (head.join("").length + indent <= MAX_LINE_CHARACTERS / 2)
    return `{${head.join("")}${JSON.stringify(key)}:${formatValue(last, indent)}}`;
  return `{${below(entries.map(([name, item]) => `${JSON.stringify(name)}:${formatValue(item, indent + 2)}`))}}`;
}

function withVariableNames(text: string, variables: Readonly<Record<string, string>>): string {
  let result = text;
  for (const [name, value] of Object.entries(variables)) result = result.replaceAll(JSON.stringify(value).slice(1, -1), `{{${name}}}`);
  return result;
}
