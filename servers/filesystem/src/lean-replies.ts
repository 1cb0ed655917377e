// --lean: what a model pays for once is not sent twice. Whatever stands in the text of a reply is left out of its structured
// content, which keeps the facts (etag, cursor, counts); the list of tools comes without the schemas of results.
import type { ToolDefinition } from "@oarlock/server-kit";
import type { CallToolResult } from "@oarlock/server-kit/protocol";

/** Members of structured results that repeat the text, or the blocks, of the same reply. */
const REPEATS = new Set(["content", "entries", "paths", "matches", "counts", "directories"]);

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
  const facts = Object.entries(structuredContent).filter(([name, value]) => !repeats(name, value));
  return { ...result, structuredContent: Object.fromEntries(facts) };
}

/** Counts are facts, and so is what is known of each file; names alone stand in the text. */
function repeats(name: string, value: unknown): boolean {
  if (name === "files") return Array.isArray(value) && value.every((file) => typeof file === "string");
  return REPEATS.has(name) && typeof value !== "number";
}
