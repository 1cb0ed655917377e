// Relations: tables by name, letter case ignored, and the foreign keys between them.
import { clipped } from "@oarlock/extensions/page";
import type { ForeignKey, SchemaTable } from "./schema-data.ts";

export interface Relation {
  readonly from: SchemaTable;
  readonly to: SchemaTable;
  readonly key: ForeignKey;
}

export class Relations {
  readonly tables: readonly SchemaTable[];
  readonly #byName: ReadonlyMap<string, SchemaTable>;
  readonly #all: readonly Relation[];

  constructor(tables: readonly SchemaTable[]) {
    this.tables = tables;
    this.#byName = new Map(tables.map((table) => [table.name.toLowerCase(), table]));
    this.#all = tables.flatMap((from) =>
      from.foreignKeys.flatMap((key) => {
        const to = this.table(key.table);
        return to === undefined ? [] : [{ from, to, key }];
      }),
    );
  }

  table(name: string): SchemaTable | undefined {
    return this.#byName.get(name.toLowerCase());
  }

  of(table: SchemaTable): Relation[] {
    return this.#all.filter(({ from, to }) => from === table || to === table);
  }

  among(tables: readonly SchemaTable[]): Relation[] {
    const chosen = new Set(tables);
    return this.#all.filter(({ from, to }) => chosen.has(from) && chosen.has(to));
  }

  /** The table, and those that it references or that reference it. */
  around(table: SchemaTable): SchemaTable[] {
    return [...new Set([table, ...this.of(table).flatMap(({ from, to }) => [from, to])])];
  }
}

/** `customer_id → customers (id)` */
export const describeKey = ({ columns, table, references }: ForeignKey): string => {
  const target = references.filter((name) => name !== null);
  return `${columns.join(", ")} → ${table}${target.length === 0 ? "" : ` (${target.join(", ")})`}`;
};

/** The text at the line of a foreign key: its columns. */
export const labelOf = ({ key }: Relation): string => clipped(key.columns.join(", "), 20);
