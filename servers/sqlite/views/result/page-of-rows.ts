// PageOfRows: one page of a result, as the tools write it: read_query and view_rows rows, search_text matches.
import { structuredOf, textOf, type ToolResult } from "@oarlock-tooling/views";

export interface ResultColumn {
  readonly name: string;
  /** Null for an expression. */
  readonly declaredType?: string | null;
}

export type Row = readonly unknown[];

export interface PageOfRows {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly Row[];
  /** Undefined on the last page. */
  readonly nextCursor?: string | undefined;
  /** Values that the server truncated. */
  readonly clippedCount: number;
  /** Whether the data changed after the page before. */
  readonly hasChanged: boolean;
}

const MATCH_COLUMNS = ["table", "column", "rowid", "snippet", "rank"];

/** Reads the structured content, and the text where that has no rows (--lean, and hosts that leave it out). Undefined: neither has rows. */
export function readPage(result: ToolResult): PageOfRows | undefined {
  const structured = structuredOf(result) as Structured; // checked by the server against its output schema
  const { nextCursor, clipped = [], dataChanged = false } = structured;
  const rows = structured.rows === undefined ? undefined : { columns: structured.columns ?? [], rows: structured.rows };
  const matches = structured.matches === undefined ? undefined : fromObjects(structured.matches, MATCH_COLUMNS);
  const found = rows ?? matches ?? fromText(result);
  return found && { ...found, nextCursor: nextCursor ?? cursorIn(textOf(result)), clippedCount: clipped.length, hasChanged: dataChanged };
}

interface Structured {
  columns?: ResultColumn[];
  rows?: Row[];
  matches?: Record<string, unknown>[];
  nextCursor?: string;
  clipped?: unknown[];
  dataChanged?: boolean;
}

type Table = Pick<PageOfRows, "columns" | "rows">;

/** Rows are objects, or arrays under a list of names; matches are objects in lines. */
function fromText({ content = [] }: ToolResult): Table | undefined {
  for (const { text = "" } of content) {
    const value = parsed(text);
    if (Array.isArray(value)) return fromObjects(value as Record<string, unknown>[]);
    if (isTable(value)) return { columns: value.columns.map((name) => ({ name })), rows: value.rows };
    const matches = text.split("\n").flatMap((line) => (line.startsWith('{"table"') ? [parsed(line) as Record<string, unknown>] : []));
    if (matches.length > 0) return fromObjects(matches, MATCH_COLUMNS);
    if (text === "No matches") return { columns: [], rows: [] };
  }
  return undefined;
}

const isTable = (value: unknown): value is { columns: string[]; rows: Row[] } =>
  typeof value === "object" && value !== null && Array.isArray((value as { rows?: unknown }).rows);

function parsed(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a note, or another format
  }
}

function fromObjects(objects: readonly Record<string, unknown>[], order: readonly string[] = []): Table {
  const present = new Set(objects.flatMap((object) => Object.keys(object)));
  const names = [...order.filter((name) => present.has(name)), ...[...present].filter((name) => !order.includes(name))];
  return { columns: names.map((name) => ({ name })), rows: objects.map((object) => names.map((name) => object[name] ?? null)) };
}

function cursorIn(text: string): string | undefined {
  const found = /^\[truncated[^\n]*call again with cursor: ("[^"\n]*")\]$/m.exec(text)?.[1];
  return found === undefined ? undefined : (JSON.parse(found) as string); // a text of JSON, by the pattern
}
