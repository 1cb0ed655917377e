/** Rules for the schemas of tools that strict converters and the Inspector's `--strict` apply. */

export type Json = Record<string, unknown>;

export interface ListedTool {
  readonly name: string;
  readonly inputSchema: Json;
  readonly outputSchema?: Json;
}

/** One line per violation: a property or list of arguments without a type, or a tool without arguments that accepts others. */
export function schemaProblems(tools: readonly ListedTool[]): string[] {
  return tools.flatMap(({ name, inputSchema, outputSchema }) => [
    ...untyped(inputSchema, `${name}: input`),
    ...untypedItems(inputSchema, `${name}: input`),
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

/** Lists and maps of arguments whose values have no type. Rows of a result may hold any value. */
function untypedItems(schema: Json, path: string): string[] {
  const isList = schema["type"] === "array";
  const values = ["items", "additionalProperties"].flatMap((keyword) =>
    typeof schema[keyword] === "object" ? [objectOf(schema[keyword])] : [],
  );
  const missing: Json[] = isList && schema["items"] === undefined ? [{}] : [];
  const own = [...values, ...missing].flatMap((value) => [
    ...(typeof value["type"] === "string" ? [] : [`${path}[]: expected a type`]),
    ...untypedItems(value, `${path}[]`),
  ]);
  const properties = Object.entries(objectOf(schema["properties"]));
  return [...own, ...properties.flatMap(([name, property]) => untypedItems(objectOf(property), `${path}.${name}`))];
}

const objectOf = (value: unknown): Json => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {}); // checked here
