// @oarlock/server-kit/zod: tool schemas with zod/mini, and helpers for common arguments. Requires the package `zod`.
import { en } from "zod/locales";
import * as z from "zod/mini";
import type { Schema } from "./features/schema/schema.ts";
import type { Json } from "./wire/json-rpc.ts";

z.config(en());

export { z };

type Type = z.ZodMiniType;

/**
 * Makes a zod/mini schema usable in the kit: adds the JSON Schema conversion, which zod has and zod/mini lacks.
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

/** An object with these members, such as the arguments of a tool. */
export const object = <Shape extends z.core.$ZodShape>(
  shape: Shape,
): Schema<z.input<z.ZodMiniObject<Shape>>, z.output<z.ZodMiniObject<Shape>>> => schema(z.object(shape));

/**
 * A structured result, which may have further members. Declare few: each one makes every list of tools longer.
 * Handlers return a `type`, not an `interface`, which TypeScript does not accept where further members are allowed.
 */
export const result = <Shape extends z.core.$ZodShape>(
  shape: Shape,
): Schema<z.input<z.ZodMiniObject<Shape, z.core.$loose>>, z.output<z.ZodMiniObject<Shape, z.core.$loose>>> => schema(z.looseObject(shape));

/** A string. */
export const text = (description: string): z.ZodMiniString => z.string().check(z.describe(description));

/** A list of strings. */
export const texts = (description: string): z.ZodMiniArray<z.ZodMiniString> => z.array(z.string()).check(z.describe(description));

/** A boolean. Default false. */
export const flag = (description: string): z.ZodMiniDefault<z.ZodMiniBoolean> =>
  z._default(z.boolean(), false).check(z.describe(description));

/** An optional integer of at least 1. */
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
    // Plain and loose objects are published without "additionalProperties": a later version may add members, and each word costs tokens.
    // Only loose arguments keep it, so that none of them counts as unknown.
    override({ zodSchema: { _zod }, jsonSchema, path }) {
      const { def } = _zod;
      if (def.type !== "object") return;
      const isLoose = def.catchall?._zod.def.type === "unknown";
      if (def.catchall === undefined || (isLoose && (io === "output" || path.length > 0))) delete jsonSchema.additionalProperties;
    },
  });
}
