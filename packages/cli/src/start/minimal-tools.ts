// Minimal tools: the few tools, and of each the few arguments, that `--toolsets minimal` lists. Calls accept all arguments as before.
import type { ToolDefinition } from "@oarlock/server-kit";
import { isObject, type Json, type Tool } from "@oarlock/server-kit/protocol";

/** The toolset that has few of the tools of the others, each with few arguments. */
export const MINIMAL = "minimal";

/** One tool of the set. */
export interface MinimalTool {
  /** Listed besides the required arguments; `edits.replaceAll` is one inside of a list. Default: none. */
  readonly arguments?: readonly string[];
  /** Default: that of the tool. */
  readonly description?: string;
}

/** The tools of `--toolsets minimal`, by name. The whole list has at most 1,200 tokens. */
export type MinimalTools = Readonly<Record<string, MinimalTool>>;

/** The same tool with a shorter entry in the list: without title, output schema, hints that equal their default, and other arguments. */
export function minimalTool(tool: ToolDefinition, { arguments: optional = [], description }: MinimalTool): ToolDefinition {
  const listing = (): Tool => {
    const { outputSchema: _, title: _title, annotations = {}, inputSchema, ...rest } = tool.listing();
    return {
      ...rest,
      ...(description !== undefined && { description }),
      inputSchema: withArguments(inputSchema, optional),
      annotations: Object.fromEntries(Object.entries(annotations).filter(([hint, value]) => value !== HINT_DEFAULTS[hint])),
    };
  };
  return { ...tool, listing };
}

/** What the specification says of a tool without these hints. */
const HINT_DEFAULTS: Readonly<Record<string, unknown>> = { readOnlyHint: false, destructiveHint: true, idempotentHint: false };

/** A schema with the required properties and the optional ones that are named. */
function withArguments(schema: Json, optional: readonly string[], prefix = ""): Json {
  if (isObject(schema["items"])) return { ...schema, items: withArguments(schema["items"], optional, prefix) };
  if (!isObject(schema["properties"])) return schema;
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const listed = Object.entries(schema["properties"])
    .filter(([name]) => required.includes(name) || optional.includes(prefix + name))
    .map(([name, property]) => [name, isObject(property) ? withArguments(property, optional, `${prefix}${name}.`) : property]);
  return { ...schema, properties: Object.fromEntries(listed) as Json };
}
