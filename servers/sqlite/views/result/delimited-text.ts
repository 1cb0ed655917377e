// Rows as text with separators: CSV in the dialect of the server (docs/sqlite.md, "CSV"), and tabs for spreadsheets.
import { isLikeFormula } from "../../src/db/csv/formulas.ts";
import type { ResultColumn, Row } from "./rows.ts";
import { isLargeInteger, isNull, textOfValue } from "./values.ts";

/** A bare text like this would come back as something else. */
const LIKE_ANOTHER_VALUE = /^$|^[\s"]|\s$|^x'|^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|Infinity)$/i;

export function csvText(columns: readonly ResultColumn[], rows: readonly Row[]): string {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const ofText = (text: string): string => (LIKE_ANOTHER_VALUE.test(text) || /[",\r\n]/.test(text) ? quoted(text) : text);
  const ofValue = (value: unknown): string => (typeof value === "string" && !isLargeInteger(value) ? ofText(value) : bareText(value));
  return lines(
    columns.map(({ name }) => ofText(name)),
    rows.map((row) => row.map(ofValue)),
    ",",
  );
}

/** Texts that a spreadsheet would take for formulas begin with an apostrophe, as a person would write them there. */
export function tabbedText(columns: readonly ResultColumn[], rows: readonly Row[]): string {
  const field = (text: string): string => (/["\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const ofText = (text: string): string => field(isLikeFormula(text) ? `'${text}` : text);
  return lines(
    columns.map(({ name }) => ofText(name)),
    rows.map((row) => row.map((value) => (typeof value === "string" ? ofText(value) : field(bareText(value))))),
    "\t",
  );
}

/** Whether a name or a text begins as a formula of a spreadsheet does. */
export const hasFormulas = (columns: readonly ResultColumn[], rows: readonly Row[]): boolean =>
  columns.some(({ name }) => isLikeFormula(name)) ||
  rows.some((row) => row.some((value) => typeof value === "string" && isLikeFormula(value)));

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
