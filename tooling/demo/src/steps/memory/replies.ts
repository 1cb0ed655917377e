// Looks into replies of the memory's tools: JSON as text, in every revision.
import assert from "node:assert/strict";
import type { CallToolResult } from "@oarlock/server-kit/protocol";

/** The first text of a reply, which is JSON; a second one says what was cut. */
export function said(result: CallToolResult): string {
  const [block] = result.content;
  assert.ok(block?.type === "text");
  return block.text;
}

/** What a reply that may not be a failure tells. */
export function told(result: CallToolResult): Told {
  assert.equal(result.isError ?? false, false, said(result));
  return JSON.parse(said(result)) as Told; // what is in it is what the steps assert
}

/** What one reply or another has. */
export interface Told {
  entities: { name: string; entityType: string; observations: string[] }[];
  relations: { from: string; to: string; relationType: string }[];
  nodes: { name: string; depth: number }[];
  edges: object[];
}
