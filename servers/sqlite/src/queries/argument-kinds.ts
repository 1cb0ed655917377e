// The schema of an argument of a named query, by its type.
import { z } from "../argument-schemas.ts";
import type { Parameter } from "./named-query.ts";

/** JSON may have rounded other whole numbers, and a rounded one would select another row. */
const isExact = (value: number): boolean => !Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) > 2 ** 63;
const TOO_LARGE = "JSON numbers past 2^53 are rounded: give the parameter the type string, and pass the integer as text";

/** Past 2^53 an integer is exact as decimal text only. */
const isInteger = (value: unknown): boolean => Number.isSafeInteger(value) || (typeof value === "string" && isLargeInteger(value));
const isLargeInteger = (text: string): boolean => /^-?\d{16,19}$/.test(text) && !Number.isSafeInteger(Number(text));

const SCHEMAS = {
  string: () => z.string(),
  integer: () => z.unknown().check(z.refine(isInteger, "expected an integer; past 2^53 as decimal text"), z.meta({ type: "integer" })),
  number: () => z.number().check(z.refine(isExact, TOO_LARGE)),
  boolean: () => z.boolean(),
};

export const argumentSchema = ({ type }: Pick<Parameter, "type">) => SCHEMAS[type]();
