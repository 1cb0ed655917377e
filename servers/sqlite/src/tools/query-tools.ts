// Named queries as tools: their parameters are arguments, and they run and reply like read_query. They declare no output schema: the same
// one would stand in the list of tools for each of them.
import { StartError } from "@oarlock/cli";
import { truncateText } from "@oarlock/domain-kit";
import { tool, type ToolDefinition } from "@oarlock/server-kit";
import { object, z } from "../argument-schemas.ts";
import type { Dependencies } from "../dependencies.ts";
import { argumentSchema } from "../queries/argument-kinds.ts";
import { TOOLSET, type NamedQuery, type Parameter } from "../queries/named-query.ts";
import { pageArguments, replyWithPage, type PageArguments } from "../replies/row-page.ts";

const MAX_SHOWN_SQL = 500;

/** Throws a {@link StartError} where a query has the name of a tool. */
export function queryTools(deps: Dependencies, queries: readonly NamedQuery[], takenNames: readonly string[]): ToolDefinition[] {
  const clash = queries.find(({ name }) => takenNames.includes(name));
  if (clash !== undefined)
    throw new StartError(`Invalid query ${clash.name} of ${clash.database}: a tool of this server has the same name. Rename the query.`, 2);
  return queries.map((query) => queryTool(deps, query));
}

function queryTool(deps: Dependencies, query: NamedQuery): ToolDefinition {
  const { name, database, sql, title, parameters } = query;
  const parameterNames = parameters.map((parameter) => parameter.name);
  return tool({
    name,
    title: title === undefined || title === name ? `Query ${name}` : title,
    description: descriptionOf(query),
    toolset: TOOLSET,
    input: () => {
      const own = Object.fromEntries(parameters.map((parameter) => [parameter.name, parameterSchema(parameter)]));
      // A parameter of the query replaces a page argument of the same name.
      return object<Record<string, z.ZodMiniType>>({ ...own, ...pageArguments(), ...own });
    },
    hints: { readOnly: true, openWorld: false },
    run(args, ctx) {
      const params = Object.fromEntries(parameters.map((parameter) => [parameter.name, boundArgument(parameter, args[parameter.name])]));
      const page: PageArguments = Object.fromEntries(Object.entries(args).filter(([key]) => !parameterNames.includes(key))); // checked by pageArguments()
      return replyWithPage(deps, ctx, { sql, params, database }, page);
    },
  });
}

const boundArgument = ({ type }: Parameter, given: unknown): unknown =>
  type === "integer" && typeof given === "string" ? { integer: given } : (given ?? null);

function parameterSchema(parameter: Parameter) {
  const { name, description, default: given } = parameter;
  const schema = argumentSchema(parameter).check(z.describe(description ?? `Value of :${name}`));
  if (given === undefined) return schema;
  return given === null ? z.optional(schema) : z._default(schema, given);
}

function descriptionOf({ database, description, sql }: NamedQuery): string {
  if (description !== undefined && description.trim() !== "") return `${description} Reads the database ${database}.`;
  return `Rows of this query of the database ${database}: ${truncateText(sql, MAX_SHOWN_SQL)}`;
}
