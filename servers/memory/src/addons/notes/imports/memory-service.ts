// mcp-memory-service: each memory becomes an entity with its type and tags, named by its first line.
import { createHash } from "node:crypto";
import { truncateText } from "@oarlock/domain-kit";
import type { ImportedGraph } from "./imported-graph.ts";
import { isObject, listIn, objectsIn, textOf, textsOf, type Located } from "./json-records.ts";

const LISTS = ["memories", "results"];
const NAME_LENGTH = 80;
const HASH_LENGTH = 8;
const DEFAULT_TYPE = "note";

export const isMemoryService = (value: unknown): boolean => {
  const [first] = listIn(value, LISTS) ?? [];
  const hasMetadata = isObject(value) && (isObject(value["export_metadata"]) || "exported_by" in value);
  if (!isObject(first)) return hasMetadata && listIn(value, LISTS) !== undefined;
  return typeof first["content"] === "string" && ("content_hash" in first || "memory_type" in first || hasMetadata);
};

export const importMemoryService = (value: unknown, graph: ImportedGraph): void =>
  addServiceMemories(objectsIn(listIn(value, LISTS) ?? [], graph), graph);

export function addServiceMemories(records: readonly Located[], graph: ImportedGraph): void {
  for (const { where, record } of records) {
    const content = textOf(record["content"]);
    if (content === undefined) {
      graph.skip(where, "it has no content");
      continue;
    }
    const type = textOf(record["memory_type"], record["type"]) ?? DEFAULT_TYPE;
    const entity = graph.entity(nameFor(content, graph), type, where);
    if (entity === undefined) continue;
    graph.observe(entity, content, where);
    for (const tag of textsOf(record["tags"])) entity.tags.add(tag);
    graph.notes.add("metadata and dates of memories");
  }
}

/** The first line. Where another memory has it, the hash of the content follows. */
function nameFor(content: string, graph: ImportedGraph): string {
  const line = content.toWellFormed().trim().split(/\r?\n/)[0] ?? "";
  const name = truncateText(line, NAME_LENGTH);
  const other = graph.entities.get(name);
  if (other === undefined || other.observations.has(content)) return name;
  return `${name} (${createHash("sha256").update(content.toWellFormed()).digest("hex").slice(0, HASH_LENGTH)})`;
}
