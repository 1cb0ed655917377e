// PageOfRows: one page of a result, as the tools write it: read_query and view_rows rows, search_text matches.
import { clipped as clippedText, structuredOf, textOf, type ToolResult } from "@oarlock/extensions/page";
import type { ResultColumn, Row } from "./rows.ts";

export interface PageOfRows {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly Row[];
  /** Undefined on the last page. */
  readonly nextCursor?: string | undefined;
  /** Values that the server truncated. */
  readonly clippedCount: number;
  /** Whether the data changed after the page before. */
  readonly hasChanged: boolean;
  /** Matches of search_text. */
  readonly isSearch: boolean;
  /** What a search has not read, in sentences. */
  readonly gaps: readonly string[];
}

const MATCH_COLUMNS = ["table", "column", "rowid", "snippet", "rank"];

/** Reads the structured content, and the text where that has no rows (--lean, and hosts that leave it out). Undefined: neither has rows. */
export function readPage(result: ToolResult): PageOfRows | undefined {
  const structured = structuredOf(result) as Structured; // checked by the server against its output schema
  const { nextCursor, clipped = [], dataChanged = false } = structured;
  const found = tableOf(structured) ?? fromText(result, structured.rowCount === undefined);
  return found && { ...found, nextCursor: nextCursor ?? cursorIn(textOf(result)), clippedCount: clipped.length, hasChanged: dataChanged };
}

interface Structured {
  columns?: ResultColumn[];
  rows?: Row[];
  /** Of read_query and view_rows only. */
  rowCount?: number;
  matches?: Record<string, unknown>[];
  unfinished?: string[];
  unreadable?: { table: string; reason: string }[];
  nextCursor?: string;
  clipped?: unknown[];
  dataChanged?: boolean;
}

type Table = Pick<PageOfRows, "columns" | "rows" | "isSearch" | "gaps">;

function tableOf({ columns = [], rows, matches, unfinished = [], unreadable = [] }: Structured): Table | undefined {
  if (rows !== undefined) return { columns, rows, isSearch: false, gaps: [] };
  if (matches === undefined) return undefined;
  const incomplete = unfinished.filter((name) => !unreadable.some(({ table }) => table === name));
  const gaps = [
    ...(incomplete.length > 0 ? [`Not searched completely: ${listed(incomplete)}.`] : []),
    ...(unreadable.length > 0 ? [`Cannot be read: ${listed(unreadable.map(({ table, reason }) => `${table} (${reason})`))}.`] : []),
  ];
  return { ...fromObjects(matches, MATCH_COLUMNS), isSearch: true, gaps };
}

const MAX_NAMES = 10;

const listed = (names: readonly string[]): string =>
  names
    .slice(0, MAX_NAMES)
    .map((name) => clippedText(name, 200))
    .join(", ") + (names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "");

/** Rows are objects, or arrays under a list of names; matches are objects in lines, after lines about what was not searched. */
function fromText({ content = [] }: ToolResult, canBeSearch: boolean): Table | undefined {
  for (const { text = "" } of content) {
    const value = parsed(text);
    const rows = { isSearch: false, gaps: [] };
    if (Array.isArray(value)) return { ...fromObjects(value as Record<string, unknown>[]), ...rows };
    if (isTable(value)) return { columns: value.columns.map((name) => ({ name })), rows: value.rows, ...rows };
    const search = canBeSearch ? fromSearchText(text) : undefined;
    if (search !== undefined) return search;
  }
  return undefined;
}

/** Each line is a notice in brackets or a match, and the last one may be that there are no matches. */
function fromSearchText(text: string): Table | undefined {
  const lines = text.split("\n");
  const notices = lines.filter((line) => /^\[.*\]$/.test(line));
  const matches = lines.filter((line) => line.startsWith('{"table"'));
  const others = lines.length - notices.length - matches.length;
  const isSearch = others === 0 ? matches.length > 0 : others === 1 && lines.at(-1) === "No matches";
  if (!isSearch) return undefined;
  const gaps = notices
    .filter((notice) => !notice.startsWith("[truncated: call again"))
    .map((notice) => clippedText(`${notice.slice(1, -1)}.`, 500));
  return {
    ...fromObjects(
      matches.map((line) => parsed(line) as Record<string, unknown>),
      MATCH_COLUMNS,
    ),
    isSearch,
    gaps,
  };
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

function fromObjects(objects: readonly Record<string, unknown>[], order: readonly string[] = []): Pick<Table, "columns" | "rows"> {
  const present = new Set(objects.flatMap((object) => Object.keys(object)));
  const names = [...order.filter((name) => present.has(name)), ...[...present].filter((name) => !order.includes(name))];
  return { columns: names.map((name) => ({ name })), rows: objects.map((object) => names.map((name) => object[name] ?? null)) };
}

function cursorIn(text: string): string | undefined {
  const found = /^\[truncated[^\n]*call again with cursor: ("[^"\n]*")\]$/m.exec(text)?.[1];
  return found === undefined ? undefined : (JSON.parse(found) as string); // a text of JSON, by the pattern
}
