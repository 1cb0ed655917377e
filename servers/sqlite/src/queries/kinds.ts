// What an argument of a named query may be, by its type.
import { z } from "../schema.ts";
import type { Parameter } from "./named-query.ts";

const KINDS = { string: () => z.string(), integer: () => z.int(), number: () => z.number(), boolean: () => z.boolean() };

export const kindOf = ({ type }: Pick<Parameter, "type">) => KINDS[type]();
