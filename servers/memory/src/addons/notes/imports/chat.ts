// A chat, whoever has exported it, as facts: each turn is an observation that begins with its time and its speaker, of the entity of its
// conversation and day. So the search finds single turns, and filters by time know when they were written.
import { chatGptConversations, isChatGpt } from "./chatgpt.ts";
import { chatLines } from "./chat-lines.ts";
import { claudeConversations, isClaude } from "./claude.ts";
import type { ImportedGraph } from "./imported-graph.ts";
import { isJsonLines, isObject, parseLines, parseOrUndefined, parseValue, textOf, type JsonObject } from "./json-records.ts";
import { MARK, nameOfChat, timeOf, type Conversation, type Message } from "./transcripts.ts";

const LISTS = ["messages", "conversation", "conversations", "turns", "dialog", "dialogue", "chat", "history"];
/** Instructions and results of programs are not said by anybody. */
const SILENT = new Set(["system", "developer", "tool", "function"]);
const DAY_LENGTH = "2026-05-31".length;

/** `title`: the name of the file. */
export function importChat(text: string, title: string, graph: ImportedGraph): void {
  for (const conversation of conversationsIn(text, title, graph)) addConversation(conversation, graph);
}

function* conversationsIn(text: string, title: string, graph: ImportedGraph): Iterable<Conversation> {
  const isJson = /^\s*(?:\{|\[\s*[[{\]])/.test(text);
  if (!isJson) return yield { title, id: "", messages: chatLines(text, graph), where: "the file" };
  const isLines = isJsonLines(text) && parseOrUndefined(text) === undefined;
  const value = isLines ? parseLines(text, graph).map(({ record }) => record) : parseValue(text);
  if (isChatGpt(value)) yield* chatGptConversations(value, graph);
  else if (isClaude(value)) yield* claudeConversations(value, graph);
  else yield* messageLists(value, title);
}

/** Lists of messages, of one conversation or of several. */
function* messageLists(value: unknown, title: string): Generator<Conversation> {
  if (Array.isArray(value) && value.some(isConversation)) {
    for (const [index, one] of value.entries()) yield* messageLists(one, `${title} ${index + 1}`);
    return;
  }
  const record = isObject(value) ? value : {};
  const list = Array.isArray(value) ? value : LISTS.map((key) => record[key]).find((member) => Array.isArray(member));
  const named = textOf(record["title"], record["name"]) ?? title;
  if (Array.isArray(list) && list.some(isConversation)) return yield* messageLists(list, named);
  const id = textOf(record["id"], record["conversation_id"], record["uuid"]) ?? "";
  yield { title: named, id, messages: (list ?? []).flatMap(toMessage), where: named };
}

const isConversation = (value: unknown): boolean =>
  Array.isArray(value) || (isObject(value) && LISTS.some((key) => Array.isArray(value[key])));

function toMessage(value: unknown): Message[] {
  if (!isObject(value)) return [];
  const { author } = value;
  const role = textOf(value["name"], value["speaker"], value["role"], author, value["from"], value["sender"], value["user"]);
  const speaker = role ?? (isObject(author) ? textOf(author["name"], author["role"]) : undefined) ?? "unknown";
  if (SILENT.has(speaker.toLowerCase())) return [];
  const times = ["timestamp", "created_at", "create_time", "createdAt", "date", "time", "ts"].map((key) => toTime(value[key]));
  return [{ role: speaker, text: contentOf(value), at: times.find((time) => time !== undefined) }];
}

/** Above this, a number counts milliseconds. */
const MAX_SECONDS = 1e11;

const toTime = (value: unknown): number | undefined => timeOf(typeof value === "number" && value > MAX_SECONDS ? value / 1000 : value);

function contentOf(message: JsonObject): string {
  const text = textOf(message["content"], message["text"], message["message"], message["value"], message["body"]);
  if (text !== undefined) return text;
  const parts = [message["content"], message["parts"]].find((member) => Array.isArray(member));
  return (Array.isArray(parts) ? parts : [])
    .flatMap((part) => (isObject(part) ? (textOf(part["text"]) ?? []) : (textOf(part) ?? [])))
    .join("\n");
}

/** One entity for each day. Turns without a time belong to the day of the turn before. */
function addConversation(conversation: Conversation, graph: ImportedGraph): void {
  const { where } = conversation;
  const messages = conversation.messages.filter(({ text }) => text.trim() !== "");
  if (messages.length === 0) return graph.skip(where, "it has no messages");
  let day = "";
  for (const { role, text, at } of messages) {
    const time = at === undefined ? "" : new Date(at).toISOString().slice(0, 16).replace("T", " ").replace(" 00:00", "");
    if (time !== "") day = time.slice(0, DAY_LENGTH);
    const entity = graph.entity(`${nameOfChat(conversation)}${day === "" ? "" : `, ${day}`}`, "conversation", where);
    entity?.tags.add(MARK);
    if (entity !== undefined) graph.observe(entity, `${time === "" ? "" : `${time} `}${role} [${MARK}]: ${text.trim()}`, where);
  }
}
