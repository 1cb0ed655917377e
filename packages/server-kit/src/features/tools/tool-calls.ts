// Calls of tools: finds the tool that `tools/call` names, and helps where it is not offered.
import { invalidParams, McpError } from "../../protocol/errors.ts";
import type { CallToolResult } from "../../protocol/types.ts";
import { roundedNumber } from "../../wire/exact-numbers.ts";
import { INVALID_PARAMS, isObject, type Json } from "../../wire/json-rpc.ts";
import type { Awaitable } from "../awaitable.ts";
import type { InteractiveContext } from "../context.ts";
import { nearestName } from "../nearest-name.ts";
import type { Registry } from "../registry.ts";
import { nameInMessage } from "../schema/schema.ts";
import type { ToolDefinition } from "./tools.ts";
import { errorWithRemedies, withRemedies, type WithheldTools } from "./withheld-tools.ts";

/** Whether a `tools/call` with these params may change something. `mayRename`: middleware may give tools other names. */
export function mayChange(tools: Registry<ToolDefinition>, { name }: Json, mayRename: boolean): boolean {
  const tool = typeof name === "string" ? tools.get(name) : undefined;
  return tool === undefined ? mayRename : tool.hints.readOnly !== true;
}

/** `tools/call`: finds the tool and calls it. */
export function callTool(tools: Registry<ToolDefinition>, params: Json, ctx: InteractiveContext): Awaitable<CallToolResult> {
  const { name } = params;
  const args = params.arguments ?? {};
  if (typeof name !== "string") throw invalidParams("name: expected a string");
  if (!isObject(args)) throw invalidParams("arguments: expected an object");
  const rounded = roundedNumber(args);
  if (rounded !== undefined)
    throw new McpError(INVALID_PARAMS, `Invalid arguments for ${nameInMessage(name)}: ${rounded}`, undefined, "arguments");
  const found = tools.get(name);
  if (found === undefined) throw invalidParams(`Unknown tool: ${nameInMessage(name)}${adviceFor(name, tools)}`);
  return tools.withheld.size === 0 ? found.call(args, ctx) : callWithRemedies(() => found.call(args, ctx), tools.withheld);
}

async function callWithRemedies(call: () => Awaitable<CallToolResult>, withheld: WithheldTools): Promise<CallToolResult> {
  try {
    return withRemedies(await call(), withheld);
  } catch (error) {
    throw errorWithRemedies(error, withheld);
  }
}

/** What follows the name of an unknown tool: why it is withheld, or the nearest name that models may call, if there is one. */
function adviceFor(name: string, tools: Registry<ToolDefinition>): string {
  const reason = tools.withheld.get(name);
  if (reason !== undefined) return `. ${reason}`;
  const known = [...tools]
    .filter(({ extensions }) => extensions.every(({ isForModels }) => isForModels !== false))
    .map((tool) => tool.name);
  const near = nearestName(name, known);
  return near === undefined ? "" : `. Did you mean ${near}?`;
}
