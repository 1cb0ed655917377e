// Looks into replies of tools.
import assert from "node:assert/strict";
import { isObject, type CallToolResult } from "@oarlock/server-kit/protocol";

/** The text of a reply. */
export function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}

/** The same, of a reply that may not be a failure. */
export function done(result: CallToolResult): string {
  assert.equal(result.isError ?? false, false, textOf(result));
  return textOf(result);
}

/** Members of structured content. */
export function pick(data: unknown, ...members: string[]): unknown[] {
  assert.ok(isObject(data), "no structured content");
  return members.map((member) => data[member]);
}
