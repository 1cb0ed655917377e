// The named queries in the text of a metadata file, which has the shape of Datasette's: databases.NAME.queries.QUERY is SQL, or an
// object with it. https://docs.datasette.io/en/stable/sql_queries.html#canned-queries
import { isObject } from "@oarlock/server-kit/protocol";
import { DbError, refused, shown } from "../db/errors.ts";
import { asTable } from "../db/sql/pragma-table.ts";
import { isReading, statementOf, type Statement } from "../db/sql/statement.ts";
import { z } from "../argument-schemas.ts";
import { TYPES, type NamedQuery, type Parameter } from "./named-query.ts";
import { parametersOf } from "./query-parameters.ts";

export interface Found {
  readonly queries: readonly NamedQuery[];
  /** What was left out, with why. */
  readonly skipped: readonly string[];
}

/** What all hosts take for the name of a tool. */
const NAME = /^[A-Za-z][\w-]{0,63}$/;
const LONGEST_DESCRIPTION = 2000;

const words = z.optional(z.string());
const anything = z.looseObject({});
const database = z.looseObject({ queries: z.optional(anything) });
const parameter = z.looseObject({ name: z.string(), type: z._default(z.enum(TYPES), "string"), description: words });
const query = z.looseObject({
  sql: z.string(),
  title: words,
  description: words,
  write: z.optional(z.boolean()),
  params: z.optional(z.array(parameter)),
});

/** Takes the queries of the databases that are served. Throws a {@link DbError} that names the place of what is wrong. */
export function queriesIn(text: string, served: readonly string[]): Found {
  const { databases } = taken(z.looseObject({ databases: anything }), jsonOf(text));
  const queries: NamedQuery[] = [];
  const skipped: string[] = [];
  for (const [name, told] of Object.entries(databases)) {
    const at = `databases.${shown(name)}`;
    const all = Object.entries(within(at, () => taken(database, told).queries ?? {}));
    if (all.length > 0 && !served.includes(name)) skipped.push(`queries of ${shown(name)}, as no database that is served has this name`);
    else
      for (const [key, one] of all) {
        const made = within(`${at}.queries.${shown(key)}`, () => queryOf({ name: key, database: name }, one));
        if (made === undefined) skipped.push(`the query ${shown(key)} of ${shown(name)}, as it is one that writes`);
        else queries.push(made);
      }
  }
  const twice = queries.find(({ name }, index) => queries.findIndex((one) => one.name === name) !== index);
  if (twice !== undefined) throw refused(`two databases have a query ${shown(twice.name)}: rename one`);
  return { queries, skipped };
}

function queryOf(whose: Pick<NamedQuery, "name" | "database">, told: unknown): NamedQuery | undefined {
  const { sql, title, description, write, params = [] } = taken(query, inFull(told));
  if (write === true) return undefined;
  if (!NAME.test(whose.name)) throw refused("no name for a tool: expected at most 64 letters, digits, _ and -, with a letter first");
  if (description !== undefined && description.length > LONGEST_DESCRIPTION)
    throw refused(`the description has ${description.length} characters; at most ${LONGEST_DESCRIPTION} are taken`);
  const listed = params.map((one) => ({ ...one, default: defaultOf(one) }));
  return { ...whose, sql, title, description, parameters: parametersOf(readingOf(sql), listed) };
}

/** Looked at once more, and by the engine itself, when it is run. */
function readingOf(sql: string): Statement {
  const statement = statementOf(sql);
  if (statement.verb === "PRAGMA") asTable(statement);
  else if (!isReading(statement)) throw refused(`only statements that read become tools, and this is ${statement.verb}`);
  return statement;
}

/** SQL alone is a query too, and a name alone a parameter; parameters may also be an object by their names. */
function inFull(told: unknown): unknown {
  if (typeof told === "string") return { sql: told };
  if (!isObject(told) || told["params"] === undefined) return told;
  const { params } = told;
  if (Array.isArray(params)) return { ...told, params: params.map((one: unknown) => (typeof one === "string" ? { name: one } : one)) };
  if (!isObject(params)) return told;
  return { ...told, params: Object.entries(params).map(([name, one]) => (isObject(one) ? { ...one, name } : one)) };
}

function defaultOf({ name, default: given }: { name: string; default?: unknown }): Parameter["default"] {
  if (given === undefined || given === null || typeof given === "string" || typeof given === "number" || typeof given === "boolean")
    return given;
  throw refused(`the default of ${shown(name)} is no plain value`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw refused(`no JSON (${String(error).replaceAll(/\s+/g, " ")})`);
  }
}

function taken<S extends z.ZodMiniType>(schema: S, told: unknown): z.infer<S> {
  const { data, error } = schema.safeParse(told);
  if (error === undefined) return data;
  const [issue] = error.issues;
  const place = (issue?.path ?? []).map(String).join(".");
  throw refused(`${place === "" ? "" : `${place}: `}${issue?.message ?? ""}`);
}

function within<T>(place: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof DbError)) throw error;
    throw refused(`${place}: ${error.message}`);
  }
}
