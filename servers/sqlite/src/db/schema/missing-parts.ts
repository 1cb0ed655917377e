// What the objects of a schema need and this SQLite does not have: collations, functions, tokenizers and modules of the program that
// made the database.
import type Database from "better-sqlite3";
import { isObjectError } from "../engine/sqlite-errors.ts";
import { isName, isSymbol, isWord, tokensOf, type Token } from "../sql/tokens.ts";
import { optionsOf } from "./broken-references.ts";
import { featureNames, indexColumnsOf, quoteName } from "./schema-pragmas.ts";
import { moduleOf } from "./table-list.ts";

export type PartKind = "collation" | "function" | "tokenizer" | "module";

export interface MissingPart {
  readonly kind: PartKind;
  readonly name: string;
  /** Objects in words: "table albums", "index albums_by_title". */
  readonly neededBy: readonly string[];
  /** Where the texts of a full-text table are that needs a tokenizer. */
  readonly texts?: string;
}

interface SchemaObject {
  readonly type: "table" | "index" | "view" | "trigger";
  readonly name: string;
  readonly tbl_name: string;
  /** Null for the index of a key. */
  readonly sql: string | null;
}

/** Compiling views upon views takes long. */
const MAX_COMPILE_MS = 2000;
/** Not PRAGMA collation_list: a connection lists each one that it has looked for. */
const COLLATIONS = new Set(["binary", "nocase", "rtrim"]);
const FTS3_TOKENIZERS = new Set(["simple", "porter", "unicode61"]);
const FTS5_TOKENIZERS = new Set(["unicode61", "ascii", "porter", "trigram"]);

export function missingParts(db: Database.Database): MissingPart[] {
  const objects = db.prepare<[], SchemaObject>("SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY type DESC, name").all();
  const needed = new Map<string, { kind: PartKind; name: string; neededBy: Set<string>; texts?: string }>();
  const add = (kind: PartKind, name: string, { type, name: object }: SchemaObject): void => {
    const key = `${kind} ${name.toLowerCase()}`;
    const part = needed.get(key) ?? { kind, name, neededBy: new Set() };
    needed.set(key, part);
    part.neededBy.add(`${type} ${object}`);
  };
  const modules = new Set(featureNames(db, "module_list").map((name) => name.toLowerCase()));
  for (const object of objects) {
    for (const name of collationsOf(db, object)) if (!COLLATIONS.has(name.toLowerCase())) add("collation", name, object);
    const module = moduleIn(object);
    if (module !== undefined && !modules.has(module)) add("module", module, object);
    for (const name of missingTokenizers(module, object.sql ?? "")) {
      add("tokenizer", name, object);
      const part = needed.get(`tokenizer ${name.toLowerCase()}`);
      if (part !== undefined) part.texts ??= optionsOf(object.sql ?? "").get("content") ?? `${object.name}_content`;
    }
  }
  const until = performance.now() + MAX_COMPILE_MS;
  // Tables before views, of which some may take all of the time.
  for (const { type, name } of objects.toSorted((a, b) => Number(a.type === "view") - Number(b.type === "view"))) {
    if ((type !== "table" && type !== "view") || performance.now() > until) continue;
    for (const missing of missingFunctions(db, type, name))
      for (const object of usersOf(missing, name, objects)) add("function", missing, object);
  }
  return [...needed.values()].map((part) => ({ ...part, neededBy: [...part.neededBy] }));
}

/** The collations of the statement, and those that an index takes from its table. */
function collationsOf(db: Database.Database, { type, name, sql }: SchemaObject): string[] {
  if (type === "index") return indexColumnsOf(db, name).map(({ coll }) => coll);
  if (sql === null || !/COLLATE/i.test(sql)) return [];
  const tokens = tokensOf(sql);
  return tokens.flatMap((token, index) => (isWord(tokens[index - 1], "COLLATE") && isName(token) ? [token.value] : []));
}

const moduleIn = ({ type, sql }: SchemaObject): string | undefined =>
  type === "table" && sql !== null && /^CREATE[^(]{1,200}USING/i.test(sql) && /VIRTUAL/i.test(sql.slice(0, 100))
    ? moduleOf(sql)
    : undefined;

function missingTokenizers(module: string | undefined, sql: string): string[] {
  const words = tokenizerWords(tokensOf(sql));
  if (module === "fts3" || module === "fts4") return words.slice(0, 1).filter((word) => !FTS3_TOKENIZERS.has(word));
  // Porter takes the words of another tokenizer.
  const [first, second] = words;
  const used = first === "porter" && second !== undefined ? [first, second] : words.slice(0, 1);
  return module === "fts5" ? used.filter((word) => !FTS5_TOKENIZERS.has(word)) : [];
}

/** The words after `tokenize =`: the tokenizer and its options. */
export function tokenizerWords(tokens: readonly Token[]): string[] {
  const at = tokens.findIndex((token, index) => index > 3 && isWord(token, "TOKENIZE"));
  if (at === -1) return [];
  const start = isSymbol(tokens[at + 1], "=") ? at + 2 : at + 1;
  const end = tokens.findIndex((token, index) => index >= start && (isSymbol(token, ",") || isSymbol(token, ")")));
  return tokens
    .slice(start, end === -1 ? undefined : end)
    .flatMap(({ value }) => value.toLowerCase().split(/\s+/))
    .filter((word) => word !== "");
}

/** The functions that SQLite misses when it compiles statements on a table or view; it names one for each. */
function missingFunctions(db: Database.Database, type: "table" | "view", name: string): Set<string> {
  const quoted = `main.${quoteName(name)}`;
  const statements = [`SELECT * FROM ${quoted}`];
  if (type === "table")
    statements.push(`INSERT INTO ${quoted} DEFAULT VALUES`, `UPDATE ${quoted} SET rowid = rowid`, `DELETE FROM ${quoted}`);
  const missing = new Set<string>();
  for (const sql of statements) {
    try {
      db.prepare(sql);
    } catch (error) {
      if (!isObjectError(error)) throw error;
      const found = missingFunctionIn(error.message);
      if (found !== undefined) missing.add(found);
    }
  }
  return missing;
}

/** The name in SQLite's message about a function that does not exist. */
export const missingFunctionIn = (message: string): string | undefined => /^(?:no such|unknown) function: (\w+)/.exec(message)?.[1];

/** The objects of a table or view whose statements call the function; the table or view itself where none is found. */
function usersOf(missing: string, table: string, objects: readonly SchemaObject[]): SchemaObject[] {
  const calling = objects.filter(({ sql, tbl_name: owner }) => sql !== null && owner === table && calls(tokensOf(sql), missing));
  return calling.length > 0 ? calling : objects.filter(({ name }) => name === table);
}

export const calls = (tokens: readonly Token[], name: string): boolean =>
  tokens.some((token, index) => isName(token) && token.value.toLowerCase() === name.toLowerCase() && isSymbol(tokens[index + 1], "("));
