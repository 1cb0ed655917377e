// --lean: no text is sent twice. Whatever is in the text of a reply is left out of its structured content, which keeps the facts
// (etag, cursor, counts), and the list of tools has no output schemas.
import { EncodedJson, type ToolDefinition } from "@oarlock/server-kit";
import type { CallToolResult } from "@oarlock/server-kit/protocol";

/** Members of structured results that repeat the text, or the blocks, of the same reply. */
const REPEATED_MEMBERS = new Set(["content", "entries", "paths", "matches", "counts", "directories"]);

export function leanTool(tool: ToolDefinition): ToolDefinition {
  return {
    ...tool,
    listing() {
      const { outputSchema: _, ...listing } = tool.listing();
      return listing;
    },
    async call(args, ctx) {
      return withoutRepetition(await tool.call(args, ctx));
    },
  };
}

function withoutRepetition(result: CallToolResult): CallToolResult {
  const { structuredContent: structured } = result;
  const structuredContent = structured instanceof EncodedJson ? structured.toJSON() : structured;
  if (typeof structuredContent !== "object" || structuredContent === null) return result;
  const facts = Object.entries(structuredContent).filter(([name, value]) => !isRepeated(name, value));
  return { ...result, structuredContent: Object.fromEntries(facts) };
}

/** Counts are facts, and so is what is known of each file; a list of names only repeats the text. */
function isRepeated(name: string, value: unknown): boolean {
  if (name === "files") return Array.isArray(value) && value.every((file) => typeof file === "string");
  return REPEATED_MEMBERS.has(name) && typeof value !== "number";
}
