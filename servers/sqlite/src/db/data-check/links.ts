// Columns that look like links to another table without a foreign key: by their names, and by the values of both.
import type Database from "better-sqlite3";
import { counted } from "@oarlock/domain-kit";
import { columnsOf, foreignKeysOf, primaryKeyOf, quoteName } from "../schema/schema-pragmas.ts";
import type { CheckedTable, Finding } from "./finding.ts";

/** The share of values that must exist in the other table. */
const MIN_FOUND_SHARE = 0.5;

/** A table with a key of one column. */
export interface LinkTarget {
  readonly table: string;
  readonly key: string;
}

export function linkTargets(db: Database.Database, tables: readonly string[]): LinkTarget[] {
  return tables.flatMap((table) => {
    const [key, ...others] = primaryKeyOf(columnsOf(db, table));
    return key === undefined || others.length > 0 ? [] : [{ table, key }];
  });
}

export function checkLinks(
  db: Database.Database,
  table: CheckedTable,
  columns: readonly string[],
  targets: readonly LinkTarget[],
): (Finding | string)[] {
  const known = new Set(foreignKeysOf(db, table.name).flatMap((key) => key.map(({ from }) => from.toLowerCase())));
  return columns.flatMap((column) => {
    if (known.has(column.toLowerCase()) || column === table.key) return [];
    const link = targetsOf(column, table.name, targets)
      .map((target) => checkLink(table, column, target))
      .find((one) => one !== undefined);
    return link === undefined ? [] : [link];
  });
}

/** A link without orphans is named in short. */
function checkLink(table: CheckedTable, column: string, { table: target, key }: LinkTarget): Finding | string | undefined {
  const [name, parent, child] = [quoteName(column), quoteName(target), quoteName(table.name)];
  const { present, nulls } = table.numbers({ present: `count(${name})`, nulls: `count(*) - count(${name})` });
  if (present === 0) return undefined;
  const where = `${name} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${parent} AS linked WHERE linked.${quoteName(key)} = ${child}.${name})`;
  const finding = table.finding(
    "link",
    column,
    where,
    (count) => `It looks like a link to ${target}.${key} without a foreign key. Orphans: ${count} of ${present} values; NULLs: ${nulls}.`,
  );
  if (finding.count > (1 - MIN_FOUND_SHARE) * present) return undefined;
  return finding.count > 0 ? finding : `${table.name}.${column} -> ${target}.${key}${nulls > 0 ? `, ${counted(nulls, "NULL")}` : ""}`;
}

/** The tables that a column may link to, by its name: customer_id, customerId, fk_customer, customer. */
function targetsOf(column: string, table: string, targets: readonly LinkTarget[]): LinkTarget[] {
  const words = namePartsOf(column);
  const isKeyLike = words.length > 1 && ["id", "key", "ref", "fk", "pk", "uuid", "guid", "no", "code"].includes(words.at(-1) ?? "");
  const base = isKeyLike ? words.slice(0, -1) : words[0] === "fk" ? words.slice(1) : words;
  const names = base.flatMap((_, index) => singular(base.slice(index).join("")));
  const byName = targets.filter((target) => {
    const of = namePartsOf(target.table);
    return of.some((_, index) => singular(of.slice(index).join("")).some((name) => names.includes(name)));
  });
  const sameKey = targets.filter(
    ({ table: other, key }) => other !== table && namePartsOf(key).length > 1 && key.toLowerCase() === column.toLowerCase(),
  );
  const own = isKeyLike && ["parent", "parents"].includes(base.join("")) ? targets.filter((target) => target.table === table) : [];
  return [...new Set([...sameKey, ...byName, ...own])];
}

/** The parts of a name in lower case: moz_places, customerID, ZALBUM. */
const namePartsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

/** A name and what it may be the plural of. */
const singular = (name: string): string[] => [
  name,
  ...(name.endsWith("ies") ? [`${name.slice(0, -3)}y`] : []),
  ...(name.endsWith("es") ? [name.slice(0, -2)] : []),
  ...(name.endsWith("s") ? [name.slice(0, -1)] : []),
];
