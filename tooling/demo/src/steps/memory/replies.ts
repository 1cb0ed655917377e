// Looks into replies of the memory's tools: JSON as text, in every revision.
import assert from "node:assert/strict";
import type { CallToolResult } from "@oarlock/server-kit/protocol";

/** The first text of a reply, which is JSON; a second one names what was cut. */
export function jsonOf(result: CallToolResult): string {
  const [block] = result.content;
  assert.ok(block?.type === "text");
  return block.text;
}

/** The data of a reply that must not be a failure. */
export function dataOf(result: CallToolResult): Data {
  assert.equal(result.isError ?? false, false, jsonOf(result));
  return JSON.parse(jsonOf(result)) as Data; // the steps assert its members
}

/** Members of the replies of all tools. */
export interface Data {
  entities: { name: string; entityType: string; observations: string[] }[];
  relations: { from: string; to: string; relationType: string }[];
  nodes: { name: string; depth: number }[];
  edges: object[];
}
