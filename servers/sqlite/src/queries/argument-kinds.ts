// The schema of an argument of a named query, by its type.
import { z } from "../argument-schemas.ts";
import type { Parameter } from "./named-query.ts";

/** JSON may have rounded other whole numbers, and a rounded one would select another row. */
const isExact = (value: number): boolean => !Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) > 2 ** 63;
const TOO_LARGE = "JSON numbers past 2^53 are rounded: give the parameter the type string, and pass the integer as text";

const SCHEMAS = {
  string: () => z.string(),
  integer: () => z.int(),
  number: () => z.number().check(z.refine(isExact, TOO_LARGE)),
  boolean: () => z.boolean(),
};

export const argumentSchema = ({ type }: Pick<Parameter, "type">) => SCHEMAS[type]();
