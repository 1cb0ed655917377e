// @oarlock/server-kit/zod: tool schemas by zod/mini, and the kinds of argument that most tools share. Needs the package `zod`.
import { en } from "zod/locales";
import * as z from "zod/mini";
import type { Schema } from "./features/schema/schema.ts";
import type { Json } from "./wire/json-rpc.ts";

z.config(en());

export { z };

type Type = z.ZodMiniType;

/**
 * A zod/mini schema as the kit takes it. zod/mini has no JSON Schema face of its own, as zod has; here it is added.
 * @example
 * const input = schema(z.object({ who: z.string() }));
 */
export function schema<T extends Type>(type: T): Schema<z.input<T>, z.output<T>> {
  return {
    "~standard": {
      version: 1,
      vendor: "zod",
      validate: type["~standard"].validate,
      jsonSchema: { input: () => convert(type, "input"), output: () => convert(type, "output") },
    },
  };
}

/** An object of these members: what the arguments of a tool are. */
export const object = <Shape extends z.core.$ZodShape>(
  shape: Shape,
): Schema<z.input<z.ZodMiniObject<Shape>>, z.output<z.ZodMiniObject<Shape>>> => schema(z.object(shape));

/** A structured result: the members that matter are declared, and there may be more. Each member costs in every list of tools. */
export const result = <Shape extends z.core.$ZodShape>(
  shape: Shape,
): Schema<z.input<z.ZodMiniObject<Shape, z.core.$loose>>, z.output<z.ZodMiniObject<Shape, z.core.$loose>>> => schema(z.looseObject(shape));

/** A string. */
export const text = (description: string): z.ZodMiniString => z.string().check(z.describe(description));

/** A list of strings. */
export const texts = (description: string): z.ZodMiniArray<z.ZodMiniString> => z.array(z.string()).check(z.describe(description));

/** True or false; false when left out. */
export const flag = (description: string): z.ZodMiniDefault<z.ZodMiniBoolean> =>
  z._default(z.boolean(), false).check(z.describe(description));

/** A whole number of at least one; may be left out. */
export const count = (description: string): z.ZodMiniOptional<z.ZodMiniNumberFormat> =>
  z.optional(z.int().check(z.minimum(1))).check(z.describe(description));

/** One of these strings. */
export const choice = <const T extends readonly [string, ...string[]]>(
  values: T,
  description: string,
): z.ZodMiniEnum<z.core.util.ToEnum<T[number]>> => z.enum(values).check(z.describe(description));

function convert(type: Type, io: "input" | "output"): Json {
  return z.toJSONSchema(type, {
    io,
    // Plain and loose objects are published without "additionalProperties": a later version may add members, and hosts pay for each word.
    override({ zodSchema: { _zod }, jsonSchema }) {
      const { def } = _zod;
      if (def.type === "object" && (def.catchall === undefined || def.catchall._zod.def.type === "unknown"))
        delete jsonSchema.additionalProperties;
    },
  });
}
