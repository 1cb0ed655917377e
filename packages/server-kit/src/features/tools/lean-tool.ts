// Lean tools: replies that carry no text twice, for hosts that hand both the text and the structured content to the model.
import type { CallToolResult } from "../../protocol/types.ts";
import { isObject } from "../../wire/json-rpc.ts";
import { chain } from "../awaitable.ts";
import { EncodedJson } from "../content.ts";
import type { ToolDefinition } from "./tools.ts";

/**
 * The same tool without output schema, whose structured content leaves out the members that repeat the text of the reply.
 * @param repeated Names of these members. A number or boolean under such a name is kept: it is a fact, such as a count.
 */
export function leanTool(tool: ToolDefinition, repeated: ReadonlySet<string>): ToolDefinition {
  return {
    ...tool,
    listing() {
      const { outputSchema: _, ...listing } = tool.listing();
      return listing;
    },
    call: (args, ctx) => chain(tool.call(args, ctx), (result) => withoutRepeated(result, repeated)),
  };
}

function withoutRepeated(result: CallToolResult, repeated: ReadonlySet<string>): CallToolResult {
  const given: unknown = result.structuredContent;
  const structured = given instanceof EncodedJson ? given.toJSON() : given;
  if (!isObject(structured)) return result;
  const isKept = ([name, value]: [string, unknown]): boolean =>
    !repeated.has(name) || typeof value === "number" || typeof value === "boolean";
  return { ...result, structuredContent: Object.fromEntries(Object.entries(structured).filter(isKept)) };
}
