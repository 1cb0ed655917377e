// The tables of the schema view: from view_schema, or from the result itself where the host calls no tools.
import { callTool, describeError, structuredOf, textOf, type Page, type ToolResult } from "@oarlock/extensions/page";

export interface SchemaColumn {
  readonly name: string;
  readonly type?: string;
  readonly primaryKey?: boolean;
  readonly notNull?: boolean;
}

export interface ForeignKey {
  readonly columns: readonly string[];
  readonly table: string;
  /** Null: the primary key. */
  readonly references: readonly (string | null)[];
}

export interface SchemaTable {
  readonly name: string;
  readonly type: string;
  readonly columns: readonly SchemaColumn[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly omittedColumns?: number;
  readonly error?: string;
}

export interface Schema {
  readonly tables: readonly SchemaTable[];
  /** Names of the tables that the result is about, in their order. */
  readonly named: readonly string[];
  /** The table that was described. */
  readonly described?: string | undefined;
  /** Tables of the database that are missing here. */
  readonly omitted: number;
  /** The tables are those of one page of a list. */
  readonly isPage?: boolean;
  /** What the reader has to know about missing parts. */
  readonly note?: string | undefined;
}

/** All that the server tells about the tables of a result. Undefined: the result names no tables. */
export async function loadSchema(result: ToolResult, page: Page): Promise<Schema | undefined> {
  const own = readSchema(result);
  if (own === undefined || own.tables.length === 0) return own;
  if (!page.canCallTools)
    return {
      ...own,
      note: own.described === undefined ? "Types and keys are missing: this host does not let the page ask for them." : undefined,
    };
  try {
    const { database } = page.args;
    const reply = await callTool(page.host, "view_schema", { ...(database !== undefined && { database }), tables: own.named });
    const { tables, omitted } = structuredOf(reply) as unknown as Pick<Schema, "tables" | "omitted">; // checked by the server against its output schema
    return { ...own, tables, omitted, isPage: false };
  } catch (error) {
    return { ...own, note: `Only the tables of the result are shown: ${describeError(error)}` };
  }
}

interface Listed {
  readonly name: string;
  readonly type: string;
  readonly columns?: readonly string[];
  readonly error?: string;
}

interface Described {
  readonly table: string;
  readonly type?: string;
  readonly columns?: readonly { name: string; type: string; notNull?: boolean; primaryKey?: number }[];
  readonly foreignKeys?: readonly ForeignKey[];
  readonly referencedBy?: readonly ForeignKey[];
}

/** With --lean, and in some hosts, only the text has the tables. */
function readSchema(result: ToolResult): Schema | undefined {
  const structured = structuredOf(result);
  const value = structured["tables"] ?? ("columns" in structured ? structured : firstJson(result));
  const isPage = structured["nextCursor"] !== undefined || textOf(result).includes("[truncated: call again with cursor:");
  if (Array.isArray(value)) return { ...listed(value as Listed[]), isPage }; // written by list_tables
  return value === undefined ? namedInText(result) : described(value as Described); // written by describe_table
}

/** The first line of a description, such as `"orders": table, about 83 rows`. */
const DESCRIPTION = /^("(?:[^"\\]|\\.)*"): (table|view|virtual table)/;

/** The tables that the text of describe_table names; the page asks for the rest. */
function namedInText({ content = [] }: ToolResult): Schema | undefined {
  const tables = content.flatMap(({ text = "" }): SchemaTable[] => {
    const [, name, type] = DESCRIPTION.exec(text) ?? [];
    return name === undefined || type === undefined
      ? []
      : [{ name: JSON.parse(name) as string, type: type === "virtual table" ? "virtual" : type, columns: [], foreignKeys: [] }];
  });
  const named = tables.map(({ name }) => name);
  return named.length === 0 ? undefined : { tables, named, omitted: 0, ...(named.length === 1 && { described: named[0] }) };
}

function firstJson({ content = [] }: ToolResult): unknown {
  for (const { text = "" } of content) {
    if (!/^(\[\{|\[\]|\{)/.test(text)) continue;
    try {
      return JSON.parse(text);
    } catch {
      continue; // a note
    }
  }
  return undefined;
}

function listed(list: readonly Listed[]): Schema {
  const tables = list.map(({ columns = [], ...table }) => ({ ...table, columns: columns.map((name) => ({ name })), foreignKeys: [] }));
  return { tables, named: list.map(({ name }) => name), omitted: 0 };
}

function described({ table: name, type = "table", columns = [], foreignKeys = [], referencedBy = [] }: Described): Schema {
  const own: SchemaTable = {
    name,
    type,
    columns: columns.map((column) => ({ ...column, primaryKey: (column.primaryKey ?? 0) > 0 })),
    foreignKeys,
  };
  const others = new Map<string, SchemaTable>();
  for (const key of [...foreignKeys, ...referencedBy]) {
    if (key.table === name) continue;
    const keys = referencedBy.includes(key) ? [{ ...key, table: name }] : [];
    const known = others.get(key.table);
    others.set(key.table, { name: key.table, type: "table", columns: [], foreignKeys: [...(known?.foreignKeys ?? []), ...keys] });
  }
  return { tables: [own, ...others.values()], named: [name], described: name, omitted: 0 };
}
