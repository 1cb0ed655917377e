// --lean: no text is sent twice. What is in the text of a reply is left out of its structured content, which keeps the facts (etag,
// cursor, counts).
import { leanTool, type ToolDefinition } from "@oarlock/server-kit";

/** Members of structured results that repeat the text, or the blocks, of the same reply. */
const REPEATED = ["content", "entries", "paths", "matches", "counts", "directories", "kept"];
/** In read_multiple_files `files` has the facts of each file; here it repeats the names in the text. */
const REPEATED_IN_SEARCH = [...REPEATED, "files"];

export const leanFileTool = (tool: ToolDefinition): ToolDefinition =>
  leanTool(tool, new Set(tool.name === "search_file_contents" ? REPEATED_IN_SEARCH : REPEATED));
