// --lean: saves context. Members of structured content that repeat the text of the reply are left out, and the list of tools has no
// output schemas. Hashes, counts and cursors stay.
import type { ToolDefinition } from "@oarlock/server-kit";
import { isObject, type CallToolResult } from "@oarlock/server-kit/protocol";

const REPEATED_MEMBERS = new Set([
  "files",
  "commits",
  "branches",
  "matches",
  "entries",
  "staged",
  "unstaged",
  "untracked",
  "conflicts",
  "hunks",
  "tags",
  "stashes",
  "worktrees",
]);

export function leanTool(tool: ToolDefinition): ToolDefinition {
  return {
    ...tool,
    listing() {
      const { outputSchema: _, ...listing } = tool.listing();
      return listing;
    },
    async call(args, ctx) {
      return withoutRepeats(await tool.call(args, ctx));
    },
  };
}

function withoutRepeats(result: CallToolResult): CallToolResult {
  const { structuredContent } = result;
  if (!isObject(structuredContent)) return result;
  // A number under one of these names is a count.
  const kept = Object.entries(structuredContent).filter(([name, value]) => !REPEATED_MEMBERS.has(name) || typeof value === "number");
  return { ...result, structuredContent: Object.fromEntries(kept) };
}
