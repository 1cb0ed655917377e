// The formats of `import --format`.

export const IMPORT_FORMATS = [
  "jsonl",
  "mem0",
  "mcp-memory-service",
  "basic-memory",
  "markdown",
  "chatgpt",
  "claude",
  "transcript",
  "chat",
] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** The file cannot be imported. The message names the line and the next step. */
export class FormatError extends Error {
  override readonly name = "FormatError";
}
