// The schemas that the kit accepts: any value with Standard Schema and Standard JSON Schema interfaces (zod 4.2+, arktype,
// valibot through its converter). Types only, as https://standardschema.dev describes them.

export interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a check by a schema gives. */
export type Validated<T> = { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly Issue[] };

export interface Standard<Input, Output> {
  readonly version: 1;
  readonly vendor: string;
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  readonly validate: (value: unknown) => Validated<Output> | Promise<Validated<Output>>;
  readonly jsonSchema: {
    readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    readonly output: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
  };
}

/** A schema by any library, or by {@link fromJsonSchema}. */
export interface Schema<Input = unknown, Output = Input> {
  readonly "~standard": Standard<Input, Output>;
}

/** A schema, or a function that makes it when it is first needed: a server with many schemas starts faster. */
export type Lazy<S> = S | (() => S);

/** The input type of a schema. */
export type InferInput<S extends Schema> = NonNullable<S["~standard"]["types"]>["input"];
/** The output type of a schema. */
export type InferOutput<S extends Schema> = NonNullable<S["~standard"]["types"]>["output"];

/**
 * A schema from a JSON Schema and a check function, without a schema library.
 * `check` returns a description of the fault, or undefined when the value is valid.
 * @example
 * const input = fromJsonSchema<{ message: string }>(
 *   { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
 *   (value) => (typeof value.message === "string" ? undefined : "message: expected a string"),
 * );
 */
export function fromJsonSchema<T>(
  schema: Record<string, unknown>,
  check: (value: Record<string, unknown>) => string | undefined,
): Schema<T, T> {
  return {
    "~standard": {
      version: 1,
      vendor: "oarlock",
      validate(value) {
        if (typeof value !== "object" || value === null) return { issues: [{ message: "expected an object" }] };
        const wrong = check(value as Record<string, unknown>); // an object: looked at one line above
        return wrong === undefined ? { value: value as T } : { issues: [{ message: wrong }] }; // `check` vouches for T
      },
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

/** The issues of a failed check, one line each: path and message. At most ten lines. */
export function describeIssues(issues: readonly Issue[]): string {
  const lines = issues.slice(0, 10).map(({ message, path }) => {
    const where = escapeInvisible((path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join("."));
    return truncate(where === "" ? message : `${where}: ${message}`);
  });
  if (issues.length > lines.length) lines.push(`… and ${issues.length - lines.length} more`);
  return lines.join("\n");
}

/** A caller's name inside a message: shortened, on one line and in one direction. */
export const nameInMessage = (name: string, limit = 128): string => escapeInvisible(truncate(name, limit));

/** Invisible characters, and those that change the direction of text, as JSON escapes. */
export const escapeInvisible = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );

/** Shortens a caller's text inside a message. */
export function truncate(text: string, limit = 300): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}…`;
}
