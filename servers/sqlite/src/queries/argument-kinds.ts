// What an argument of a named query may be, by its type.
import { z } from "../argument-schemas.ts";
import type { Parameter } from "./named-query.ts";

/** Whole numbers that JSON may have rounded would ask for another row. */
const isExact = (value: number): boolean => !Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) > 2 ** 63;
const TOO_LARGE = "integers past 2^53 do not come through JSON unchanged; a parameter of the type string takes them as text";

const KINDS = {
  string: () => z.string(),
  integer: () => z.int(),
  number: () => z.number().check(z.refine(isExact, TOO_LARGE)),
  boolean: () => z.boolean(),
};

export const kindOf = ({ type }: Pick<Parameter, "type">) => KINDS[type]();
