// The arguments that several tools share.
import { clip } from "@oarlock/domain-kit";
import type { Schema } from "@oarlock/server-kit";
import { isObject } from "@oarlock/server-kit/protocol";
import { count, text, z } from "@oarlock/server-kit/zod";
import { refusal } from "./db/errors.ts";
import type { Params } from "./db/sql/parameters.ts";

export { choice, count, flag, object, result, text, z } from "@oarlock/server-kit/zod";

export const optionalText = (description: string) => z.optional(text(description));

/** The schema as published, which also takes arguments of other types: each of `forms` gives the published one, or what it was given. */
export function accepting<I, O>(schema: Schema<I, O>, forms: Readonly<Record<string, (given: unknown) => unknown>>): Schema<I, O> {
  const standard = schema["~standard"];
  const validate: typeof standard.validate = (given) => {
    if (!isObject(given)) return standard.validate(given);
    const changed = Object.entries(forms).flatMap(([name, form]) => (name in given ? [[name, form(given[name])]] : []));
    return standard.validate({ ...given, ...Object.fromEntries(changed) });
  };
  return { "~standard": { ...standard, validate } };
}

/** Of a list: a text alone, or the list as JSON text. */
export const textAsList = (given: unknown): unknown => {
  if (typeof given !== "string") return given;
  const parsed = /^\s*\[/.test(given) ? parsedJson(given) : undefined;
  return Array.isArray(parsed) ? parsed : [given];
};
/** Of texts with commas between them: their list. */
export const listAsText = (given: unknown): unknown =>
  Array.isArray(given) && given.every((one) => typeof one === "string") ? given.join(",") : given;

/** Published as a list of texts, because hosts refuse unions and items without a type. `toParams` takes other values, an object and JSON text too. */
export const params = z.optional(z.unknown()).check(
  z.meta({
    type: "array",
    items: { type: "string" },
    description: 'Values for ?, numbers and null as they are: ["Ada", 7]; an object {"name": "Ada"} for :name; {"base64": …} is a BLOB',
  }),
);
export const database = optionalText("Name of the database; required if there are several");
export const timeout = count("Time limit in milliseconds");
export const cursor = optionalText("nextCursor of the previous page");

export function toParams(argument: unknown): Params | undefined {
  const given = typeof argument === "string" ? parsedParams(argument) : argument;
  if (given === undefined || given === null) return undefined;
  if (typeof given !== "object") throw refusal(`Invalid params: expected ${LIST_OR_OBJECT}, got ${typeof given}.`);
  // JSON.parse reads 1e999 as Infinity, which JSON.stringify would turn into null on the way to the database process.
  const infinite = Object.entries(given).find(([, value]) => value === Infinity || value === -Infinity);
  if (infinite !== undefined)
    throw refusal(
      `Invalid params: the number at ${clip(JSON.stringify(infinite[0]))} is larger than any number of JavaScript. Pass it as text.`,
    );
  return given as Params; // a list or an object; each value is checked when it is bound
}

const LIST_OR_OBJECT = 'a list or an object, such as ["Ada", 7] or {"name": "Ada"}';

function parsedParams(text: string): unknown {
  if (text.trim() === "") return undefined;
  const parsed = parsedJson(text);
  if (parsed === undefined) throw refusal(`Invalid params: expected ${LIST_OR_OBJECT}, got a text that is not JSON.`);
  return parsed;
}

/** Undefined for a text that JSON.parse refuses. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
