// Rows as CSV (RFC 4180) or as a table of Markdown. Both tell values apart in one way: nothing is NULL, bare digits are a number,
// x'…' is a BLOB, and a text that could be taken for one of these, or would lose the blanks around it, stands in quotes.
import type { Format } from "../protocol/requests.ts";
import type { Value } from "./row-encoder.ts";

export interface TableText {
  head(names: readonly string[]): string;
  /** `cells`: the row as JSON has it, in which long texts are cut. */
  line(row: readonly Value[], cells: readonly unknown[]): string;
}

/** Texts that would not be taken for texts. */
const LIKE_ANOTHER = /^$|^[\s"]|\s$|^x'|^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|Infinity)$/i;
/** RFC 4180, 2.6. */
const BREAKS_CSV = /[",\r\n]/;

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const inCsv = (text: string): string => (BREAKS_CSV.test(text) || LIKE_ANOTHER.test(text) ? quoted(text) : text);
const csvLine = (fields: readonly string[]): string => `${fields.join(",")}\r\n`;

/** What would end a cell or a row; and the backslash, so that each stays what it is. */
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "|": "\\|", "\n": "\\n", "\r": "\\r" };
const inMarkdown = (text: string): string =>
  (LIKE_ANOTHER.test(text) ? quoted(text) : text).replaceAll(/[\\|\n\r]/g, (sign) => ESCAPES[sign] ?? sign);
const markdownLine = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;

/** `blob`: longer BLOBs are cut to so many bytes. */
export function tableText(format: Exclude<Format, "json">, blob: number): TableText {
  const written = format === "csv" ? inCsv : inMarkdown;
  const line = format === "csv" ? csvLine : markdownLine;
  const valueOf = (value: Value, cell: unknown): string => {
    if (value === null) return "";
    if (typeof value === "string") return written(String(cell));
    if (!Buffer.isBuffer(value)) return String(value);
    return `x'${value.toString("hex", 0, blob)}${value.length > blob ? "…" : ""}'`;
  };
  return {
    head(names) {
      const head = line(names.map(written));
      return format === "csv" ? head : head + line(names.map(() => "---"));
    },
    line: (row, cells) => line(row.map((value, index) => valueOf(value, cells[index]))),
  };
}
