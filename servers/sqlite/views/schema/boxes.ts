// Boxes: the rows and the size of each table in the diagram.
import { clipped, counted } from "@oarlock/extensions/page";
import type { SchemaTable } from "./schema-data.ts";

export interface BoxRow {
  readonly key: string;
  readonly name: string;
  readonly type: string;
}

export interface Box {
  readonly table: SchemaTable;
  readonly title: string;
  readonly rows: readonly BoxRow[];
  /** Below the rows: columns that are left out, or an error. */
  readonly note: string | undefined;
  readonly width: number;
  readonly height: number;
}

export const ROW_HEIGHT = 18;
export const HEAD_HEIGHT = 26;
export const KEY_WIDTH = 40;
/** Of the monospaced font, at 12 pixels. */
export const CHARACTER_WIDTH = 7.3;
const MAX_NAME = 28;
const MAX_TYPE = 16;
const MAX_ROWS = 14;

export function boxOf(table: SchemaTable): Box {
  const foreign = new Set(table.foreignKeys.flatMap(({ columns }) => columns.map((name) => name.toLowerCase())));
  const all = table.columns.map(({ name, type = "", primaryKey = false }) => ({
    key: [primaryKey && "PK", foreign.has(name.toLowerCase()) && "FK"].filter((key) => key !== false).join(" "),
    name: clipped(name, MAX_NAME),
    type: clipped(type, MAX_TYPE),
  }));
  const rows = all.length <= MAX_ROWS ? all : firstWithKeys(all);
  const omitted = all.length - rows.length + (table.omittedColumns ?? 0);
  const note = table.error !== undefined ? clipped(table.error, MAX_NAME) : omitted > 0 ? counted(omitted, "more column") : undefined;
  const title = clipped(table.name, MAX_NAME) + (table.type === "table" ? "" : ` (${table.type})`);
  const longest = Math.max(
    title.length + 1,
    note?.length ?? 0,
    ...rows.map(({ name, type }) => KEY_WIDTH / CHARACTER_WIDTH + name.length + type.length + 2),
  );
  return {
    table,
    title,
    rows,
    note,
    width: Math.max(110, Math.ceil(longest * CHARACTER_WIDTH) + 16),
    height: HEAD_HEIGHT + (rows.length + (note === undefined ? 0 : 1)) * ROW_HEIGHT + 6,
  };
}

/** Keys come first where not all columns fit; the order of the columns stays. */
function firstWithKeys(rows: readonly BoxRow[]): BoxRow[] {
  const byImportance = [...rows.filter(({ key }) => key !== ""), ...rows.filter(({ key }) => key === "")];
  const kept = new Set(byImportance.slice(0, MAX_ROWS));
  return rows.filter((row) => kept.has(row));
}
