// The parameters of a named query: all those of its SQL text, with what the metadata file says about some of them.
import { clip } from "@oarlock/domain-kit";
import { refusal } from "../db/errors.ts";
import type { Statement } from "../db/sql/statement.ts";
import { argumentSchema } from "./argument-kinds.ts";
import type { Parameter } from "./named-query.ts";

/** Names that all hosts accept for arguments. Datasette itself fills in parameters that begin with an underscore. */
const VARIABLE = /^[:@$]([A-Za-z]\w{0,63})$/;

/** The listed parameters first, in the order of their list. */
export function parametersOf({ variables }: Statement, listed: readonly Parameter[]): Parameter[] {
  const unlisted = new Set(variables.map(parameterName));
  for (const parameter of listed) {
    const name = clip(parameter.name, 80);
    if (listed.find((other) => other.name === parameter.name) !== parameter) throw refusal(`params names ${name} twice`);
    if (!unlisted.delete(parameter.name)) throw refusal(`params names ${name}, but the statement has no parameter :${name}`);
    checkDefault(parameter);
  }
  return [...listed, ...Array.from(unlisted, (name): Parameter => ({ name, type: "string" }))];
}

function checkDefault(parameter: Parameter): void {
  const { name, type, default: given } = parameter;
  if (given === undefined || given === null || argumentSchema(parameter).safeParse(given).success) return;
  throw refusal(`Invalid default of ${clip(name, 80)}: expected ${type}, got ${clip(JSON.stringify(given), 80)}`);
}

function parameterName(variable: string): string {
  const name = VARIABLE.exec(variable)?.[1];
  if (name === undefined)
    throw refusal(
      `Invalid parameter ${clip(variable, 80)}: expected a name such as :city, of at most 64 letters, digits and _, beginning with a letter`,
    );
  if (name === "cursor")
    throw refusal(`Invalid parameter ${variable}: the argument of this name selects the next page. Rename the parameter`);
  return name;
}
