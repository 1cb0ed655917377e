// The arguments that several tools share.
import { clip } from "@oarlock/domain-kit";
import { count, text, z } from "@oarlock/server-kit/zod";
import { refusal } from "./db/errors.ts";
import type { Params } from "./db/sql/parameters.ts";

export { choice, count, flag, object, result, text, z } from "@oarlock/server-kit/zod";

export const optionalText = (description: string) => z.optional(text(description));

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
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(`Invalid params: expected ${LIST_OR_OBJECT}, got a text that is not JSON.`);
  }
}
