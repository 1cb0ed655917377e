// The parameters of a named query: those that stand in its text, with what the file says about some of them.
import { refused, shown } from "../db/errors.ts";
import type { Statement } from "../db/sql/statement.ts";
import { kindOf } from "./argument-kinds.ts";
import type { Parameter } from "./named-query.ts";

/** Hosts take such names of arguments; and Datasette fills in those that begin with _ itself. */
const NAME = /^[:@$]([A-Za-z]\w{0,63})$/;

/** The listed ones first, in the order of their list. */
export function parametersOf({ variables }: Statement, listed: readonly Parameter[]): Parameter[] {
  const names = new Set(variables.map(nameOf));
  for (const parameter of listed) {
    const { name } = parameter;
    if (listed.find((one) => one.name === name) !== parameter) throw refused(`params names ${shown(name)} twice`);
    if (!names.delete(name)) throw refused(`params names ${shown(name)}, but the statement has no :${shown(name)}`);
    if (parameter.default !== undefined && parameter.default !== null && !kindOf(parameter).safeParse(parameter.default).success)
      throw refused(`the default of ${shown(name)} is ${shown(JSON.stringify(parameter.default))}, which is no ${parameter.type}`);
  }
  return [...listed, ...Array.from(names, (name): Parameter => ({ name, type: "string" }))];
}

function nameOf(variable: string): string {
  const name = NAME.exec(variable)?.[1];
  if (name === undefined)
    throw refused(
      `the parameter ${shown(variable)} cannot be an argument: expected a name such as :city, of at most 64 letters, digits and _, with a letter first`,
    );
  if (name === "cursor") throw refused(`the parameter ${variable} has the name of the argument that asks for the next page; rename it`);
  return name;
}
