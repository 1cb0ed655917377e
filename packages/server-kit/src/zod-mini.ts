// @oarlock/server-kit/zod-mini: the JSON Schema face for schemas of zod/mini, which has none of its own. zod/mini starts in
// a third of zod's time, and this walk over the kinds below in a tenth of `z.toJSONSchema`; a test holds the two equal.
// Reads what zod keeps for libraries: https://zod.dev/library-authors
import type { Schema, Standard } from "./features/schema.ts";
import type { Json } from "./wire/json-rpc.ts";

/** What is read of a zod schema. */
interface Kind {
  readonly _zod: { readonly def: object; readonly input: unknown; readonly output: unknown };
  readonly "~standard": Pick<Standard<unknown, unknown>, "validate">;
}

/** Where descriptions are kept: `z.globalRegistry`. */
interface Registry {
  get(schema: never): { readonly description?: string | undefined } | undefined;
}

interface Def {
  readonly type: string;
  readonly format?: string;
  readonly shape?: Readonly<Record<string, Kind>>;
  readonly catchall?: Kind;
  readonly element?: Kind;
  readonly innerType?: Kind;
  readonly defaultValue?: unknown;
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
  readonly checks?: readonly {
    readonly _zod: {
      readonly def: { readonly check: string; readonly value?: unknown; readonly minimum?: unknown; readonly maximum?: unknown };
    };
  }[];
}

/**
 * Gives a function that makes zod/mini schemas ready for the kit. Served: strings, numbers, integers, booleans, enums,
 * literals, arrays, objects, optional and default. Throws on any other kind.
 * @example
 * const ready = fromZodMini(z.globalRegistry);
 * tool({ name: "hello", input: ready(z.object({ who: z.string() })), run: ({ who }) => `Hello, ${who}` });
 */
export function fromZodMini(registry: Registry): <S extends Kind>(schema: S) => Schema<S["_zod"]["input"], S["_zod"]["output"]> {
  return (schema) => ({
    "~standard": {
      version: 1,
      vendor: "zod",
      validate: schema["~standard"].validate,
      jsonSchema: { input: () => describe(schema, registry, "input"), output: () => describe(schema, registry, "output") },
    },
  });
}

type Side = "input" | "output";

function describe(schema: Kind, registry: Registry, side: Side): Json {
  const json = shapeOf(schema, registry, side);
  const description = registry.get(schema as never)?.description; // any schema may be asked for
  return description === undefined ? json : { ...json, description };
}

function shapeOf(schema: Kind, registry: Registry, side: Side): Json {
  const def = schema._zod.def as Def; // every kind below has what is read of it
  switch (def.type) {
    case "string":
      return { type: "string", ...bounds(def, "minLength", "maxLength") };
    case "number":
      return { type: def.format === "safeint" ? "integer" : "number", ...bounds(def, "minimum", "maximum") };
    case "boolean":
      return { type: "boolean" };
    case "unknown":
      return {};
    case "enum":
      return { type: "string", enum: Object.values(def.entries ?? {}) };
    case "literal":
      return { type: typeof def.values?.[0], const: def.values?.[0] };
    case "array":
      return { type: "array", items: inner(def.element, registry, side), ...bounds(def, "minItems", "maxItems") };
    case "optional":
      return inner(def.innerType, registry, side);
    case "default":
      return { ...inner(def.innerType, registry, side), default: def.defaultValue };
    case "object":
      return objectOf(def, registry, side);
    default:
      throw new TypeError(`zod/mini: the kind "${def.type}" has no JSON Schema here`);
  }
}

function objectOf({ shape = {}, catchall }: Def, registry: Registry, side: Side): Json {
  const properties = Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, describe(member, registry, side)]));
  const required = Object.entries(shape).flatMap(([name, member]) => {
    const { type } = member._zod.def as Def; // as in shapeOf
    return type === "optional" || (type === "default" && side === "input") ? [] : name;
  });
  const json: Json = { type: "object", properties };
  if (required.length > 0) json.required = required;
  // Anything is allowed beside the known members, as JSON Schema has it without a word.
  if (catchall !== undefined && (catchall._zod.def as Def).type !== "unknown")
    json.additionalProperties = describe(catchall, registry, side);
  return json;
}

function inner(schema: Kind | undefined, registry: Registry, side: Side): Json {
  return schema === undefined ? {} : describe(schema, registry, side);
}

function bounds({ checks = [] }: Def, least: string, most: string): Json {
  const json: Json = {};
  for (const { _zod } of checks) {
    const { check, value, minimum, maximum } = _zod.def;
    if (check === "greater_than" || check === "min_length") json[least] = value ?? minimum;
    if (check === "less_than" || check === "max_length") json[most] = value ?? maximum;
  }
  return json;
}
