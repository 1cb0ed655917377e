// The reply of tools that update refs of a repository or of a remote.
import { escapeControls } from "@oarlock/domain-kit";
import type { RefUpdate } from "../../repo/remote/transfer.ts";
import { result, z } from "../../schema.ts";
import { toObjects } from "../structured.ts";

const MAX_LISTED = 2000;

export const updatesResult = () =>
  result({ remote: z.string(), updates: z.array(z.looseObject({ from: z.string(), to: z.string(), summary: z.string() })) });

/** The updates as lines that follow a title, and as structured content. */
export function listUpdates(updates: readonly RefUpdate[]) {
  const listed = updates.slice(0, MAX_LISTED);
  const lines = listed.map(({ from, to, summary }) => `\n  ${escapeControls(from)} -> ${escapeControls(to)} (${escapeControls(summary)})`);
  return { lines: lines.join(""), updates: toObjects(listed) };
}
