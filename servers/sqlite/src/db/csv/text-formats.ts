// Rows as text: CSV (RFC 4180) or a Markdown table, both in the dialect of dialect.ts.
import { escapeControls } from "@oarlock/domain-kit";
import { stringify, type Options } from "csv-stringify/sync";
import type { Format } from "../protocol/rows.ts";
import { fieldOf, type Field } from "./dialect.ts";

export interface TextFormat {
  header(names: readonly string[]): string;
  rows(rows: readonly (readonly Field[])[]): string;
}

const csvOptions: Options = {
  record_delimiter: "windows",
  // Quotes a text that looks like another kind of value, and line ends other than the library's own. It quotes commas and quotes itself.
  cast: { object: (field) => quotedIfNeeded(field as unknown as Field) }, // fields are all that it is given
};

const quotedIfNeeded = ({ text, isQuoted }: Field) =>
  isQuoted || /[\r\n]/.test(text) ? { value: text, quoted: true, quoted_empty: true } : text;

const csvText = (rows: readonly (readonly Field[])[]): string => stringify(rows as Field[][], csvOptions); // it changes nothing

export const CSV: TextFormat = { header: (names) => csvText([names.map((name) => fieldOf(name))]), rows: csvText };

/** Escapes what would end a cell or a row; the backslash too, so that the escapes can be reversed. */
function markdownCell({ text, isQuoted }: Field): string {
  const cell = isQuoted ? `"${text.replaceAll('"', '""')}"` : text;
  return escapeControls(cell.replaceAll(/[\\|]/g, (character) => `\\${character}`));
}

const markdownLine = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;

const MARKDOWN: TextFormat = {
  header: (names) => markdownLine(names.map((name) => markdownCell(fieldOf(name)))) + markdownLine(names.map(() => "---")),
  rows: (rows) => rows.map((fields) => markdownLine(fields.map(markdownCell))).join(""),
};

/** CSV in a reply. The structured content has the characters themselves. */
const CSV_REPLY: TextFormat = { header: (names) => escapedCsv(CSV.header(names)), rows: (rows) => escapedCsv(CSV.rows(rows)) };

const escapedCsv = (text: string): string => text.replaceAll(/[^\t\n\r]+/g, escapeControls);

export const TEXT_FORMATS: Readonly<Record<Exclude<Format, "json">, TextFormat>> = { csv: CSV_REPLY, markdown: MARKDOWN };
