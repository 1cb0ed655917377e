// mem0: memories of users, agents and runs, each of which becomes an entity with the memories as observations. The relations of its graph
// memory are relations.
import type { ImportedGraph } from "./imported-graph.ts";
import { isObject, listIn, objectsIn, textOf, textsOf, type JsonObject, type Located } from "./json-records.ts";

const LISTS = ["results", "memories", "records"];
const OWNERS = [
  ["user_id", "user"],
  ["agent_id", "agent"],
  ["app_id", "app"],
  ["run_id", "run"],
] as const;
/** The entity of memories that name no owner. */
const NO_OWNER = { name: "mem0", entityType: "memories" };

const memoryOf = (record: JsonObject): string | undefined => {
  const payload = isObject(record["source_payload"]) ? record["source_payload"] : isObject(record["payload"]) ? record["payload"] : {};
  return textOf(record["memory"], record["content"], record["data"], record["text"], payload["data"]);
};

export const isMem0 = (value: unknown): boolean => {
  const [first] = listIn(value, LISTS) ?? [];
  if (!isObject(first) || "content_hash" in first || "memory_type" in first || "role" in first) return false;
  const hasOwner = OWNERS.some(([key]) => key in first);
  return (
    typeof first["memory"] === "string" || (memoryOf(first) !== undefined && (hasOwner || "app" in first || "source_payload" in first))
  );
};

export function importMem0(value: unknown, graph: ImportedGraph): void {
  addMemories(objectsIn(listIn(value, LISTS) ?? [], graph), graph);
  const relations = isObject(value) && Array.isArray(value["relations"]) ? value["relations"] : [];
  for (const { where, record } of objectsIn(relations, graph)) {
    const [from, type, to] = [
      textOf(record["source"]),
      textOf(record["relationship"], record["relation"]),
      textOf(record["target"], record["destination"]),
    ];
    if (from === undefined || type === undefined || to === undefined)
      graph.skip(`relation of ${where}`, "source, relationship or target is missing");
    else graph.relate(from, type, to, where);
  }
}

export function addMemories(records: readonly Located[], graph: ImportedGraph): void {
  for (const { where, record } of records) {
    const memory = memoryOf(record);
    if (memory === undefined) {
      graph.skip(where, "it has no memory text");
      continue;
    }
    const { name, entityType } = ownerOf(record);
    const entity = graph.entity(name, entityType, where);
    if (entity === undefined) continue;
    graph.observe(entity, memory, where);
    for (const tag of textsOf(record["categories"])) entity.tags.add(tag);
    if (record["metadata"] !== undefined && record["metadata"] !== null) graph.notes.add("metadata and dates of memories");
  }
}

function ownerOf(record: JsonObject): { name: string; entityType: string } {
  const payload = isObject(record["source_payload"]) ? record["source_payload"] : {};
  for (const [key, entityType] of OWNERS) {
    const name = textOf(record[key], payload[key]);
    if (name !== undefined) return { name, entityType };
  }
  return NO_OWNER;
}
