// Named queries as tools: their parameters are arguments, all else is as with read_query. How the result looks is not declared, as
// that would stand in the list of tools once for each.
import { tool, type ToolDefinition } from "@oarlock/server-kit";
import { StartError } from "@oarlock/cli";
import type { Parts } from "../dependencies.ts";
import { kindOf } from "../queries/argument-kinds.ts";
import { TOOLSET, type NamedQuery, type Parameter } from "../queries/named-query.ts";
import { paging, rowsPage, type Paging } from "../replies/row-page.ts";
import { object, z } from "../argument-schemas.ts";

/** Of the statement in a description. */
const MOST_SHOWN = 500;

/** Throws where one has a name that is taken. */
export function namedQueries(parts: Parts, queries: readonly NamedQuery[], taken: readonly string[]): ToolDefinition[] {
  const clash = queries.find(({ name }) => taken.includes(name));
  if (clash !== undefined)
    throw new StartError(`The query ${clash.name} of ${clash.database} has the name of a tool of this server: rename it`, 2);
  return queries.map((query) => namedQuery(parts, query));
}

function namedQuery(parts: Parts, query: NamedQuery): ToolDefinition {
  const { name, database, sql, title, parameters } = query;
  const names = parameters.map((parameter) => parameter.name);
  return tool({
    name,
    title: title === undefined || title === name ? `Query ${name}` : title,
    description: descriptionOf(query),
    toolset: TOOLSET,
    input: () => {
      const own = Object.fromEntries(parameters.map((parameter) => [parameter.name, argumentOf(parameter)]));
      // A parameter of the query goes before an argument of ours.
      return object<Record<string, z.ZodMiniType>>({ ...own, ...paging(), ...own });
    },
    hints: { readOnly: true, openWorld: false },
    run(args, ctx) {
      const params = Object.fromEntries(names.map((one) => [one, args[one] ?? null]));
      const page: Paging = Object.fromEntries(Object.entries(args).filter(([one]) => !names.includes(one))); // what paging() lets in
      return rowsPage(parts, ctx, { sql, params, database }, page);
    },
  });
}

function argumentOf(parameter: Parameter) {
  const { name, description, default: given } = parameter;
  const kind = kindOf(parameter).check(z.describe(description ?? `Value of :${name}`));
  if (given === undefined) return kind;
  return given === null ? z.optional(kind) : z._default(kind, given);
}

function descriptionOf({ database, description, sql }: NamedQuery): string {
  if (description !== undefined && description.trim() !== "") return `${description} Reads the database ${database}.`;
  return `Rows of this query of the database ${database}: ${sql.length > MOST_SHOWN ? `${sql.slice(0, MOST_SHOWN)}…` : sql}`;
}
