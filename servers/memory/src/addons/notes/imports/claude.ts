// conversations.json of a Claude export: a list of conversations with their messages in order.
import type { ImportedGraph } from "./imported-graph.ts";
import { isObject, objectsIn, textOf, type JsonObject } from "./json-records.ts";
import { addTranscript, timeOf, type Conversation, type Message } from "./transcripts.ts";

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

export const isClaude = (value: unknown): boolean => {
  const [first] = listOf(value);
  return isObject(first) && Array.isArray(first["chat_messages"]);
};

export function importClaude(value: unknown, graph: ImportedGraph): void {
  for (const conversation of claudeConversations(value, graph)) addTranscript(graph, conversation);
}

export function* claudeConversations(value: unknown, graph: ImportedGraph): Generator<Conversation> {
  for (const { where, record } of objectsIn(listOf(value), graph)) {
    const { chat_messages: messages } = record;
    const place = `conversation ${where.replace("record ", "")}`;
    if (Array.isArray(messages)) {
      const title = textOf(record["name"], record["title"]) ?? "";
      yield { title, id: textOf(record["uuid"]) ?? "", messages: messages.flatMap(toMessage), where: place };
    } else graph.skip(place, "it has no messages");
  }
}

function toMessage(message: unknown): Message[] {
  if (!isObject(message)) return [];
  const role = message["sender"] === "human" ? "user" : (textOf(message["sender"]) ?? "unknown");
  const text = textOf(message["text"]) ?? textsIn(message["content"]).join("\n");
  return [{ role, text, at: timeOf(message["created_at"]) }];
}

const textsIn = (content: unknown): string[] =>
  (Array.isArray(content) ? content : []).flatMap((block: unknown) =>
    isObject(block) && isText(block) ? (textOf(block["text"]) ?? []) : [],
  );

const isText = ({ type }: JsonObject): boolean => type === "text";
