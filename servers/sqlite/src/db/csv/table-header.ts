// The names of the columns of a CSV file.
import { clip } from "@oarlock/domain-kit";
import { refusal } from "../errors.ts";
import { uniqueNames } from "../unique-names.ts";
import type { Field } from "./dialect.ts";
import type { Layout } from "./source/layout.ts";

const MAX_COLUMNS = 1000;

/** Names in the order of the columns, each once: a name that was there before gets a number, a missing one is `column_3`. */
export function columnNames(first: readonly Field[], { hasHeader, hasUnnamedIndex }: Layout): string[] {
  const given = hasHeader
    ? [...(hasUnnamedIndex ? [""] : []), ...first.map(({ text, isQuoted }) => (isQuoted ? text : text.trim()))]
    : first.map(() => "");
  if (given.length > MAX_COLUMNS) throw refusal(`Too many columns: the file has ${given.length}, the limit is ${MAX_COLUMNS}.`);
  const names = given.map((name, index) => (name.trim() === "" ? `column_${index + 1}` : name));
  return uniqueNames(names, (name) => name.toLowerCase());
}

/** The names for a table that exists: those of the header, or of the table's columns where the file has no header. */
export function namesInTable(
  names: readonly string[],
  { hasHeader, delimiter }: Pick<Layout, "hasHeader" | "delimiter">,
  table: string,
  columns: readonly string[],
): readonly string[] {
  const separator = `The file was read with the delimiter ${JSON.stringify(delimiter)}: pass another one if it is not that.`;
  if (hasHeader) {
    const known = new Set(columns.map((column) => column.toLowerCase()));
    const unknown = names.filter((name) => !known.has(name.toLowerCase()));
    if (unknown.length === 0) return names;
    throw refusal(
      `Table ${clip(table)} has no column ${listOf(unknown)}; its columns are ${listOf(columns)}. Nothing was imported. ${separator} Or import into a new table with create, then INSERT INTO … SELECT the columns that belong together.`,
    );
  }
  if (names.length !== columns.length)
    throw refusal(
      `The file has no line with names, and its ${names.length} columns are not the ${columns.length} of ${clip(table)}. Nothing was imported. ${separator} Pass header true if the first line has names, or import into a new table with create.`,
    );
  return columns;
}

/** Names in an error. */
const MAX_LISTED = 20;

const listOf = (names: readonly string[]): string =>
  `${names
    .slice(0, MAX_LISTED)
    .map((name) => clip(name, 80))
    .join(", ")}${names.length > MAX_LISTED ? ", …" : ""}`;
