// The schema of a database as an ER diagram in Mermaid: tables and views with their columns, and foreign keys between them.
import type Database from "better-sqlite3";
import type { Engine } from "../../engine/engine.ts";
import type { DiagramRequest, SchemaReply } from "../../protocol/schema-messages.ts";
import { attributeWord, commentOf, EntityNames, quotedText } from "./mermaid-text.ts";
import { columnsOrError, foreignKeysOf, indexColumnsOf, indexesOf, type ColumnInfo, type ForeignKeyColumn } from "../schema-pragmas.ts";
import { sameTable, userTables, type TableEntry } from "../table-list.ts";

/** Mermaid refuses longer texts by default. */
const MAX_LENGTH = 50_000;
/** Room for the notes. */
const NOTE_LENGTH = 500;
/** After this time views have no columns: views upon many others take long each. */
const MAX_VIEWS_MS = 2000;

type Detail = "all columns" | "keys";

/** Where the diagram would be too large, it has only the columns of keys; where that is too large too, only the first tables. */
export function erDiagram({ db }: Engine, { maxBytes }: DiagramRequest): SchemaReply {
  const all = diagramWith(db, "all columns", maxBytes);
  return all.truncated ? diagramWith(db, "keys", maxBytes) : all;
}

function diagramWith(db: Database.Database, detail: Detail, maxBytes: number): SchemaReply {
  const tables = userTables(db);
  const diagram = new Diagram(db, tables, detail);
  let length = Math.min(MAX_LENGTH, maxBytes) - NOTE_LENGTH;
  let entities = 0;
  for (const table of tables) {
    const { entity, relationships } = diagram.partsOf(table);
    length -= [...entity, ...relationships].reduce((sum, line) => sum + Buffer.byteLength(JSON.stringify(line)), 0);
    if (length < 0) break;
    diagram.add(entity, relationships);
    entities += 1;
  }
  const notes = [
    ...(detail === "keys" ? ["truncated: only columns of keys are shown, because the diagram would be too large"] : []),
    ...(entities < tables.length
      ? [`truncated: ${entities} of ${tables.length} tables are shown. Use list_tables and describe_table for the rest`]
      : []),
  ];
  return { text: diagram.text(notes), truncated: entities < tables.length };
}

class Diagram {
  readonly #db: Database.Database;
  readonly #tables: readonly TableEntry[];
  readonly #detail: Detail;
  readonly #names = new EntityNames();
  readonly #viewsUntil = performance.now() + MAX_VIEWS_MS;
  readonly #entities: string[] = [];
  readonly #relationships: string[] = [];

  constructor(db: Database.Database, tables: readonly TableEntry[], detail: Detail) {
    this.#db = db;
    this.#tables = tables;
    this.#detail = detail;
  }

  add(entity: readonly string[], relationships: readonly string[]): void {
    this.#entities.push(...entity);
    this.#relationships.push(...relationships);
  }

  text(notes: readonly string[]): string {
    return ["erDiagram", ...notes.map((note) => `    %% ${note}`), ...this.#entities, ...this.#relationships, ""].join("\n");
  }

  partsOf(table: TableEntry): { entity: string[]; relationships: string[] } {
    const isLate = table.type === "view" && performance.now() > this.#viewsUntil;
    const { columns } = isLate ? { columns: [] } : columnsOrError(this.#db, table.name);
    const foreignKeys = table.type === "table" ? foreignKeysOf(this.#db, table.name) : [];
    const uniqueKeys = table.type === "table" ? this.#uniqueKeysOf(table.name) : [];
    return {
      entity: this.#entity(table, columns, { foreignKeys, uniqueKeys }),
      relationships: foreignKeys.map((key) => this.#relationship(table.name, key, columns, uniqueKeys)),
    };
  }

  #entity({ name, type }: TableEntry, columns: readonly ColumnInfo[], { foreignKeys, uniqueKeys }: Keys): string[] {
    const foreign = new Set(foreignKeys.flatMap((key) => key.map(({ from }) => from.toLowerCase())));
    const unique = new Set(uniqueKeys.flatMap((key) => (key.length === 1 ? key : [])));
    const lines = columns.flatMap((column) => {
      const lower = column.name.toLowerCase();
      const keys = [column.pk > 0 ? "PK" : "", foreign.has(lower) ? "FK" : "", unique.has(lower) && column.pk === 0 ? "UK" : ""].filter(
        Boolean,
      );
      return this.#detail === "keys" && keys.length === 0 ? [] : [attributeLine(column, keys)];
    });
    const kind = type === "table" ? [] : [`    %% ${type === "view" ? "view" : "virtual table"}`];
    const entity = this.#names.of(name);
    return [...kind, ...(lines.length === 0 ? [`    ${entity}`] : [`    ${entity} {`, ...lines, "    }"])];
  }

  #relationship(table: string, key: readonly ForeignKeyColumn[], columns: readonly ColumnInfo[], uniqueKeys: readonly string[][]): string {
    const from = key.map((column) => column.from);
    const parent = key[0]?.table ?? "";
    const parentName = this.#names.of(sameTable(this.#tables, parent)?.name ?? parent);
    const lower = from.map((name) => name.toLowerCase());
    const isRequired = columns.filter(({ name }) => lower.includes(name.toLowerCase())).every(({ notnull, pk }) => notnull === 1 || pk > 0);
    const isUnique = uniqueKeys.some((unique) => unique.every((name) => lower.includes(name)));
    const cardinality = `${isRequired ? "||" : "|o"}--${isUnique ? "o|" : "o{"}`;
    return `    ${parentName} ${cardinality} ${this.#names.of(table)} : ${quotedText(from.join(", "))}`;
  }

  /** Names of columns in lower case. */
  #uniqueKeysOf(table: string): string[][] {
    const rowidKeys = columnsOrError(this.#db, table).columns.filter(({ pk }) => pk > 0);
    const indexes = indexesOf(this.#db, table).filter(({ unique, partial }) => unique === 1 && partial === 0);
    const keys = indexes.map(({ name }) => indexColumnsOf(this.#db, name).map((column) => column.name?.toLowerCase()));
    const complete = keys.filter((key): key is string[] => key.every((name) => name !== undefined));
    return rowidKeys.length === 0 ? complete : [rowidKeys.map(({ name }) => name.toLowerCase()), ...complete];
  }
}

interface Keys {
  readonly foreignKeys: readonly (readonly ForeignKeyColumn[])[];
  readonly uniqueKeys: readonly string[][];
}

/** The comment has the exact name and type where Mermaid does not accept them as words. */
function attributeLine({ name, type, notnull, pk, hidden }: ColumnInfo, keys: readonly string[]): string {
  const [typeWord, nameWord] = [type === "" ? "untyped" : attributeWord(type), attributeWord(name)];
  const notes = [
    ...(nameWord === name ? [] : [`name: ${name}`]),
    ...(type === "" || typeWord === type ? [] : [`type: ${type}`]),
    ...(notnull === 1 && pk === 0 ? ["not null"] : []),
    ...(hidden > 1 ? ["generated"] : []),
  ];
  return `        ${typeWord} ${nameWord}${keys.length === 0 ? "" : ` ${keys.join(", ")}`}${commentOf(notes)}`;
}
