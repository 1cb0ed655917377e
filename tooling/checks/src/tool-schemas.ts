/** Rules for the schemas of tools that strict converters and the Inspector's `--strict` apply. */

export type Json = Record<string, unknown>;

export interface ListedTool {
  readonly name: string;
  readonly inputSchema: Json;
  readonly outputSchema?: Json;
}

/** One line per violation: a property without a type, or a tool without arguments that accepts others. */
export function schemaProblems(tools: readonly ListedTool[]): string[] {
  return tools.flatMap(({ name, inputSchema, outputSchema }) => [
    ...untyped(inputSchema, `${name}: input`),
    ...(outputSchema === undefined ? [] : untyped(outputSchema, `${name}: output`)),
    ...(isWithoutArguments(inputSchema) && inputSchema["additionalProperties"] !== false
      ? [`${name}: expected "additionalProperties": false, as it has no arguments`]
      : []),
  ]);
}

const isWithoutArguments = ({ properties = {} }: Json): boolean => Object.keys(objectOf(properties)).length === 0;

/** Properties without a type, also inside items and the values of maps. */
function untyped(schema: Json, path: string): string[] {
  const properties = Object.entries(objectOf(schema["properties"])).flatMap(([name, property]) => {
    const at = `${path}.${name}`;
    const own = objectOf(property);
    return [...(typeof own["type"] === "string" ? [] : [`${at}: expected a type`]), ...untyped(own, at)];
  });
  const below = ["items", "additionalProperties"].flatMap((keyword) =>
    schema[keyword] === undefined ? [] : untyped(objectOf(schema[keyword]), `${path}[]`),
  );
  return [...properties, ...below];
}

const objectOf = (value: unknown): Json => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {}); // checked here
