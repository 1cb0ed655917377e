// conversations.json of a ChatGPT export: a list of conversations, each a tree of messages of which the last branch counts.
import type { ImportedGraph } from "./imported-graph.ts";
import { isObject, objectsIn, textOf, type JsonObject } from "./json-records.ts";
import { addTranscript, timeOf, type Conversation, type Message } from "./transcripts.ts";

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

export const isChatGpt = (value: unknown): boolean => {
  const [first] = listOf(value);
  return isObject(first) && isObject(first["mapping"]);
};

export function importChatGpt(value: unknown, graph: ImportedGraph): void {
  for (const conversation of chatGptConversations(value, graph)) addTranscript(graph, conversation);
}

export function* chatGptConversations(value: unknown, graph: ImportedGraph): Generator<Conversation> {
  for (const { where, record } of objectsIn(listOf(value), graph)) {
    const { mapping } = record;
    if (!isObject(mapping)) {
      graph.skip(where, "it has no messages");
      continue;
    }
    const messages = branchOf(mapping, textOf(record["current_node"])).flatMap((node) => toMessage(node));
    const id = textOf(record["conversation_id"], record["id"]) ?? "";
    yield { title: textOf(record["title"]) ?? "", id, messages, where: `conversation ${where.replace("record ", "")}` };
  }
}

/** The nodes from the first message to the current one; where none is current, to the newest. */
function branchOf(mapping: JsonObject, current: string | undefined): JsonObject[] {
  let id = current !== undefined && isObject(mapping[current]) ? current : newestLeaf(mapping);
  const branch: JsonObject[] = [];
  const seen = new Set<string>();
  while (id !== undefined && !seen.has(id)) {
    seen.add(id);
    const node = mapping[id];
    if (!isObject(node)) break;
    branch.push(node);
    id = textOf(node["parent"]);
  }
  return branch.reverse();
}

function newestLeaf(mapping: JsonObject): string | undefined {
  const leaves = Object.entries(mapping).filter(
    ([, node]) => isObject(node) && !(Array.isArray(node["children"]) && node["children"].length > 0),
  );
  const timeIn = (node: unknown): number =>
    isObject(node) && isObject(node["message"]) ? (timeOf(node["message"]["create_time"]) ?? 0) : 0;
  return leaves.reduce<[string, unknown] | undefined>(
    (best, leaf) => (best === undefined || timeIn(leaf[1]) >= timeIn(best[1]) ? leaf : best),
    undefined,
  )?.[0];
}

/** Messages of people and models; not those of the system and of tools. */
function toMessage({ message }: JsonObject): Message[] {
  if (!isObject(message)) return [];
  const role = isObject(message["author"]) ? message["author"]["role"] : undefined;
  const metadata = message["metadata"];
  if (role !== "user" && role !== "assistant") return [];
  if (isObject(metadata) && metadata["is_visually_hidden_from_conversation"] === true) return [];
  const { content } = message;
  const parts = isObject(content) ? (Array.isArray(content["parts"]) ? content["parts"] : [content["text"]]) : [];
  const text = parts.flatMap((part) => (isObject(part) ? (textOf(part["text"]) ?? []) : (textOf(part) ?? []))).join("\n");
  return [{ role, text, at: timeOf(message["create_time"]) }];
}
