// The details of one table below the diagram: all columns, and foreign keys in both directions.
import { clipped, dataTable, element, visible } from "@oarlock/extensions/page";
import { describeKey, type Relations } from "./relations.ts";
import type { SchemaColumn, SchemaTable } from "./schema-data.ts";

export function tableDetails(table: SchemaTable, relations: Relations): HTMLElement {
  const foreign = new Set(table.foreignKeys.flatMap(({ columns }) => columns));
  const keysOf = ({ name, primaryKey = false }: SchemaColumn): string =>
    [primaryKey && "primary key", foreign.has(name) && "foreign key"].filter((word) => word !== false).join(", ");
  const title = clipped(table.name, 200);
  const columns = dataTable(
    `Columns of ${title}`,
    [
      { name: "Column", cell: ({ name }: SchemaColumn) => element("bdi", {}, clipped(name, 200)) },
      { name: "Type", cell: ({ type = "" }) => visible(type.slice(0, 100)) },
      { name: "Key", cell: keysOf },
      { name: "NOT NULL", cell: ({ notNull }) => (notNull === true ? "yes" : "") },
    ],
    table.columns,
  );
  const references = table.foreignKeys.map((key) => clipped(describeKey(key), 300));
  const referencing = relations.of(table).filter(({ to }) => to === table);
  return element(
    "section",
    { class: "details", "aria-label": title },
    element("h2", {}, element("bdi", {}, title), table.type !== "table" && ` (${visible(table.type)})`),
    table.error !== undefined && element("p", { class: "message error" }, visible(table.error)),
    table.columns.length > 0 && columns,
    (table.omittedColumns ?? 0) > 0 && element("p", { class: "quiet" }, `${table.omittedColumns} further columns are not listed.`),
    ...listOf("References", references),
    ...listOf(
      "Referenced by",
      referencing.map(({ from, key }) => clipped(`${from.name} (${key.columns.join(", ")})`, 300)),
    ),
  );
}

const listOf = (title: string, items: readonly string[]): HTMLElement[] =>
  items.length === 0
    ? []
    : [element("h3", {}, title), element("ul", {}, ...items.map((item) => element("li", {}, element("bdi", {}, item))))];
