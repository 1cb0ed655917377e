// Finds the format of a file by its content, and reads it.
import { basename, extname } from "node:path";
import { importChatGpt, isChatGpt } from "./chatgpt.ts";
import { importClaude, isClaude } from "./claude.ts";
import { importChat } from "./chat.ts";
import { FormatError, type ImportFormat } from "../../../commands/import-format.ts";
import type { ImportedGraph } from "./imported-graph.ts";
import { isJsonLines, isObject, listIn, parseLines, parseOrUndefined, parseValue } from "./json-records.ts";
import { addMemories, importMem0, isMem0 } from "./mem0.ts";
import { addServiceMemories, importMemoryService, isMemoryService } from "./memory-service.ts";
import { importPlainTranscript, isPlainTranscript } from "./plain-transcript.ts";

const JSON_FORMATS = {
  chatgpt: { is: isChatGpt, read: importChatGpt },
  claude: { is: isClaude, read: importClaude },
  "mcp-memory-service": { is: isMemoryService, read: importMemoryService },
  mem0: { is: isMem0, read: importMem0 },
} as const;
type JsonFormat = keyof typeof JSON_FORMATS;

const isJsonFormat = (format: string): format is JsonFormat => format in JSON_FORMATS;
/** In this order: what makes a format sure comes first. */
const JSON_ORDER = ["chatgpt", "claude", "mcp-memory-service", "mem0"] as const;

/** `jsonl` where nothing else is sure: its reader reports each line that it cannot read. Throws a FormatError for a JSON value with a fault. */
export function detectFormat(text: string, path: string): ImportFormat {
  const start = text.trimStart();
  if (start.startsWith("{") || start.startsWith("[")) return detectJson(start);
  if (isPlainTranscript(text)) return "transcript";
  return /^\.(?:md|markdown)$/i.test(extname(path)) || /^---\r?\n/.test(start) ? "markdown" : "jsonl";
}

function detectJson(text: string): ImportFormat {
  const value = parseHead(text);
  const [first] = listIn(value, []) ?? [value];
  if (isObject(first) && (first["type"] === "entity" || first["type"] === "relation")) return "jsonl";
  return JSON_ORDER.find((format) => JSON_FORMATS[format].is(value) || JSON_FORMATS[format].is([value])) ?? "jsonl";
}

/** The value of the file, or the one on its first line. */
function parseHead(text: string): unknown {
  const value = parseOrUndefined(text);
  if (value !== undefined || isJsonLines(text)) return value ?? [parseOrUndefined(text.split("\n", 1)[0] ?? "")];
  // A list, or an object over several lines, can be no JSONL file: its fault is reported.
  return /^(?:\[|\{\s*\n)/.test(text) ? parseValue(text) : undefined;
}

/** Of a file in one of the formats of other programs. Throws a FormatError for one that cannot be read. */
export function readContent(
  format: Exclude<ImportFormat, "jsonl" | "markdown" | "basic-memory">,
  text: string,
  path: string,
  graph: ImportedGraph,
): void {
  const content = text.replace(/^\ufeff/, "");
  if (format === "chat") return importChat(content, basename(path, extname(path)), graph);
  if (!isJsonFormat(format)) return importPlainTranscript(content, basename(path, extname(path)), graph);
  const isLines = isJsonLines(content) && parseOrUndefined(content) === undefined;
  if (isLines && format === "mem0") return addMemories(parseLines(content, graph), graph);
  if (isLines && format === "mcp-memory-service") return addServiceMemories(parseLines(content, graph), graph);
  const value = parseValue(content);
  if (!Array.isArray(value) && !isObject(value)) throw new FormatError("line 1 is neither an object nor a list");
  const { is, read } = JSON_FORMATS[format];
  read(!is(value) && is([value]) ? [value] : value, graph);
}
