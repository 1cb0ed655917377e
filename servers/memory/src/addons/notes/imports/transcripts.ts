// Conversations as transcripts: each becomes an entity of the type `transcript` with its messages as observations, in their order. Nothing in
// a chat is a proven fact, so each entity has the tag `unreviewed`, and each observation begins with it.
import type { ImportedGraph } from "./imported-graph.ts";

export interface Message {
  readonly role: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at?: number | undefined;
}

export const MARK = "unreviewed";

export interface Conversation {
  readonly title: string;
  /** What keeps it apart from other conversations with the same title. */
  readonly id: string;
  readonly messages: readonly Message[];
  readonly where: string;
}

export const nameOfChat = ({ title, id }: Pick<Conversation, "title" | "id">): string =>
  `Chat: ${title.trim() === "" ? "untitled" : title.trim()}${id === "" ? "" : ` (${id.slice(0, ID_LENGTH)})`}`;

export function addTranscript(graph: ImportedGraph, conversation: Conversation): void {
  const { messages, where } = conversation;
  const written = messages.filter(({ text }) => text.trim() !== "");
  if (written.length === 0) return graph.skip(where, "it has no text");
  const entity = graph.entity(nameOfChat(conversation), "transcript", where);
  if (entity === undefined) return;
  entity.tags.add(MARK);
  for (const [index, { role, text, at }] of written.entries()) {
    const when = at === undefined ? `message ${index + 1}` : new Date(at).toISOString().slice(0, 16).replace("T", " ");
    graph.observe(entity, `[${MARK}] ${role}, ${when}: ${text.trim()}`, where);
  }
}

const ID_LENGTH = 8;

/** Milliseconds since 1970, of seconds since then or of a text such as 2026-05-31T12:00:00Z. */
export function timeOf(value: unknown): number | undefined {
  const time = typeof value === "number" ? value * 1000 : typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) && Math.abs(time) < MAX_TIME_MS ? time : undefined;
}

/** Of a Date. */
const MAX_TIME_MS = 8.64e15;
