// --lean: what a model pays for once is not sent twice. Whatever stands in the text of a reply is left out of its structured content, which
// keeps the facts (hashes, counts, cursors); the list of tools comes without the schemas of results.
import type { ToolDefinition } from "@oarlock/server-kit";
import type { CallToolResult } from "@oarlock/server-kit/protocol";

/** Members of structured results that repeat the text of the same reply. */
const REPEATS = new Set([
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

export function lean(tool: ToolDefinition): ToolDefinition {
  return {
    ...tool,
    listing() {
      const { outputSchema: _, ...listing } = tool.listing();
      return listing;
    },
    call(args, ctx) {
      const result = tool.call(args, ctx);
      return "then" in result ? result.then(once) : once(result);
    },
  };
}

function once(result: CallToolResult): CallToolResult {
  const { structuredContent } = result;
  if (typeof structuredContent !== "object" || structuredContent === null) return result;
  const facts = Object.entries(structuredContent).filter(([name, value]) => !(REPEATS.has(name) && typeof value !== "number"));
  return { ...result, structuredContent: Object.fromEntries(facts) };
}
