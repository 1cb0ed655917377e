// A yes-or-no question to the user. https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
import { McpError, RefusedByClient, ToolError } from "../protocol/errors.ts";
import type { InteractiveContext } from "./context.ts";
import { fromJsonSchema } from "./schema/schema.ts";

const form = fromJsonSchema<{ confirm?: boolean }>(
  { type: "object", properties: { confirm: { type: "boolean", default: false, description: "Yes, go on" } } },
  ({ confirm: given }) => (given === undefined || typeof given === "boolean" ? undefined : "confirm: expected true or false"),
);

/**
 * Asks the user to confirm an act, by a form with one flag. True only when the user accepts the form with the flag set; false when
 * the user declines or cancels, or leaves the flag unset. An answer counts once. True without the form where the client does not support
 * elicitation, and its host has asked the user before the call.
 * @param unsupported The message of the {@link ToolError} for a client that does not support elicitation, whether it declared it or not:
 * the switch or argument that makes the question unnecessary.
 * @example
 * const clear = tool({
 *   name: "clear_notes",
 *   async run(_input, ctx) {
 *     const isConfirmed = await confirm(ctx, "Delete all notes?", "Not deleted: this client cannot ask its user.");
 *     return isConfirmed ? "Deleted." : "Not deleted: the user declined.";
 *   },
 * });
 */
export async function confirm(
  ctx: Pick<InteractiveContext, "elicit" | "isHostConfirmed">,
  message: string,
  unsupported?: string,
): Promise<boolean> {
  try {
    const answer = await ctx.elicit({ message, schema: form, singleUse: true });
    return answer.action === "accept" && answer.content.confirm === true;
  } catch (error) {
    if (isUnsupported(error) && ctx.isHostConfirmed === true) return true;
    throw unsupported !== undefined && isUnsupported(error) ? new ToolError(unsupported) : error;
  }
}

/**
 * Whether the client cannot ask its user. Some clients declare elicitation and fail with any code of JSON-RPC, such as "Internal error";
 * a refusal of the user has another code.
 */
function isUnsupported(error: unknown): boolean {
  if (error instanceof McpError) return error.kind === "capability";
  return error instanceof RefusedByClient && !(Number.isSafeInteger(error.code) && Number(error.code) > JSON_RPC_CODES_END);
}

/** The codes that JSON-RPC reserves end here: https://www.jsonrpc.org/specification#error_object */
const JSON_RPC_CODES_END = -32_000;
