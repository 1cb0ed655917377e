// A yes-or-no question to the user. https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
import type { InteractiveContext } from "./context.ts";
import { fromJsonSchema } from "./schema/schema.ts";

const form = fromJsonSchema<{ confirm?: boolean }>(
  { type: "object", properties: { confirm: { type: "boolean", default: false, description: "Yes, go on" } } },
  ({ confirm: given }) => (given === undefined || typeof given === "boolean" ? undefined : "confirm: expected true or false"),
);

/**
 * Asks the user to confirm an act, by a form with one flag. True only when the user accepts the form with the flag set; false when
 * the user declines or cancels, or leaves the flag unset. Throws a {@link ToolError} when the client does not support elicitation.
 * @example if (!(await confirm(ctx, `Delete ${path}?`))) throw new ToolError("Not deleted: the user declined.");
 */
export async function confirm(ctx: Pick<InteractiveContext, "elicit">, message: string): Promise<boolean> {
  const answer = await ctx.elicit({ message, schema: form });
  return answer.action === "accept" && answer.content.confirm === true;
}
