// Rows as text with separators: CSV in the dialect of the server (README, "CSV"), and tabs for spreadsheets.
import type { PageOfRows, Row } from "./page-of-rows.ts";
import { isNull, textOfValue, type Kind } from "./values.ts";

/** A bare text like this would come back as something else. */
const LIKE_ANOTHER_VALUE = /^$|^[\s"]|\s$|^x'|^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|Infinity)$/i;

type Columns = PageOfRows["columns"];

export function csvText(columns: Columns, rows: readonly Row[], kinds: readonly Kind[]): string {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const ofText = (text: string): string => (LIKE_ANOTHER_VALUE.test(text) || /[",\r\n]/.test(text) ? quoted(text) : text);
  const ofValue = (value: unknown, at: number): string =>
    typeof value === "string" && kinds[at] !== "number" ? ofText(value) : bareText(value);
  return lines(
    columns.map(({ name }) => ofText(name)),
    rows.map((row) => row.map(ofValue)),
    ",",
  );
}

export function tabbedText(columns: Columns, rows: readonly Row[]): string {
  const field = (text: string): string => (/["\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return lines(
    columns.map(({ name }) => field(name)),
    rows.map((row) => row.map((value) => field(bareText(value)))),
    "\t",
  );
}

const lines = (head: readonly string[], rows: readonly (readonly string[])[], separator: string): string =>
  [head, ...rows].map((fields) => `${fields.join(separator)}\r\n`).join("");

/** Nothing for NULL; a BLOB in hexadecimal digits, with `…` where the server has truncated it. */
function bareText(value: unknown): string {
  if (isNull(value)) return "";
  const { bytes, base64 } = value as { bytes?: unknown; base64?: unknown }; // only a BLOB has these members
  if (typeof base64 !== "string") return textOfValue(value);
  const binary = atob(base64);
  const digits = Array.from(binary, (character) => character.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  return `x'${digits}${typeof bytes === "number" && bytes > binary.length ? "…" : ""}'`;
}
