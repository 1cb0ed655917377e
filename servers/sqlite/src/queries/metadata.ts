// Reads named queries from the text of a Datasette metadata file: databases.NAME.queries.QUERY is SQL, or an object with SQL.
// https://docs.datasette.io/en/stable/sql_queries.html#canned-queries
import { clip } from "@oarlock/domain-kit";
import { isObject } from "@oarlock/server-kit/protocol";
import { z } from "../argument-schemas.ts";
import { DbError, refusal } from "../db/errors.ts";
import { pragmaAsSelect } from "../db/sql/pragma-table.ts";
import { isReading, parseStatement, type Statement } from "../db/sql/statement.ts";
import { TYPES, type NamedQuery, type Parameter } from "./named-query.ts";
import { parametersOf } from "./query-parameters.ts";

export interface MetadataQueries {
  readonly queries: readonly NamedQuery[];
  /** Queries that are not offered, with the reasons. */
  readonly skipped: readonly string[];
}

/** Names of tools that all hosts accept. */
const TOOL_NAME = /^[A-Za-z][\w-]{0,63}$/;
const MAX_DESCRIPTION_LENGTH = 2000;

const optionalText = z.optional(z.string());
const anyObject = z.looseObject({});
const metadataSchema = z.looseObject({ databases: anyObject });
const databaseSchema = z.looseObject({ queries: z.optional(anyObject) });
const parameterSchema = z.looseObject({ name: z.string(), type: z._default(z.enum(TYPES), "string"), description: optionalText });
const querySchema = z.looseObject({
  sql: z.string(),
  title: optionalText,
  description: optionalText,
  write: z.optional(z.boolean()),
  params: z.optional(z.array(parameterSchema)),
});

/** Reads the queries of the served databases. Throws a {@link DbError} that names the place of a mistake. */
export function parseMetadata(text: string, servedNames: readonly string[]): MetadataQueries {
  const { databases } = check(metadataSchema, parseJson(text));
  const queries: NamedQuery[] = [];
  const skipped: string[] = [];
  for (const [database, value] of Object.entries(databases)) {
    const place = `databases.${clip(database, 80)}`;
    const entries = Object.entries(naming(place, () => check(databaseSchema, value).queries ?? {}));
    if (entries.length > 0 && !servedNames.includes(database)) {
      skipped.push(`queries of ${clip(database, 80)}: no database with this name is served`);
      continue;
    }
    for (const [name, entry] of entries) {
      const query = naming(`${place}.queries.${clip(name, 80)}`, () => parseQuery({ name, database }, entry));
      if (query === undefined) skipped.push(`query ${clip(name, 80)} of ${clip(database, 80)}: it writes`);
      else queries.push(query);
    }
  }
  checkUniqueNames(queries);
  return { queries, skipped };
}

function checkUniqueNames(queries: readonly NamedQuery[]): void {
  const names = queries.map(({ name }) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw refusal(`Duplicate name: two databases have a query ${clip(duplicate, 80)}. Rename one`);
}

/** Undefined for a query that writes. */
function parseQuery(names: Pick<NamedQuery, "name" | "database">, entry: unknown): NamedQuery | undefined {
  const { sql, title, description, write, params = [] } = check(querySchema, inFull(entry));
  if (write === true) return undefined;
  if (!TOOL_NAME.test(names.name))
    throw refusal("Invalid name of a tool: expected at most 64 letters, digits, _ and -, beginning with a letter");
  if (description !== undefined && description.length > MAX_DESCRIPTION_LENGTH)
    throw refusal(`The description is too long: it has ${description.length} characters, the limit is ${MAX_DESCRIPTION_LENGTH}`);
  const listed = params.map((parameter) => ({ ...parameter, default: defaultOf(parameter) }));
  return { ...names, sql, title, description, parameters: parametersOf(parseReading(sql), listed) };
}

/** A first check at the start; the policy checks the statement again whenever it runs. */
function parseReading(sql: string): Statement {
  const statement = parseStatement(sql);
  if (statement.verb === "PRAGMA") pragmaAsSelect(statement);
  else if (!isReading(statement)) throw refusal(`Only statements that read become tools: this is ${statement.verb}`);
  return statement;
}

/** Expands the short forms: a text of SQL is a query, a name is a parameter, and parameters may be an object with their names as keys. */
function inFull(entry: unknown): unknown {
  if (typeof entry === "string") return { sql: entry };
  if (!isObject(entry) || entry["params"] === undefined) return entry;
  const { params } = entry;
  if (Array.isArray(params)) return { ...entry, params: params.map((one: unknown) => (typeof one === "string" ? { name: one } : one)) };
  if (!isObject(params)) return entry;
  return { ...entry, params: Object.entries(params).map(([name, one]) => (isObject(one) ? { ...one, name } : one)) };
}

function defaultOf({ name, default: given }: { name: string; default?: unknown }): Parameter["default"] {
  if (given === undefined || given === null || typeof given === "string" || typeof given === "number" || typeof given === "boolean")
    return given;
  throw refusal(`Invalid default of ${clip(name, 80)}: expected text, a number, true, false or null`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw refusal(`Invalid JSON (${String(error).replaceAll(/\s+/g, " ")})`);
  }
}

function check<S extends z.ZodMiniType>(schema: S, value: unknown): z.infer<S> {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data;
  const [issue] = error.issues;
  const path = (issue?.path ?? []).map(String).join(".");
  throw refusal(`${path === "" ? "" : `${path}: `}${issue?.message ?? ""}`);
}

/** Names the place in the file in errors of `act`. */
function naming<T>(place: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof DbError)) throw error;
    throw refusal(`${place}: ${error.message}`);
  }
}
