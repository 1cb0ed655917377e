// Questions to the user: one boolean, and only an accepted `true` is a yes.
import { ToolError, type InteractiveContext } from "@oarlock/server-kit";
import { clip } from "./graph/errors.ts";
import { flag, object } from "./schema.ts";

const schema = object({ confirm: flag("Yes, go on") });

export async function isYes(ctx: InteractiveContext, message: string): Promise<boolean> {
  const answer = await ctx.elicit({ message, schema });
  return answer.action === "accept" && answer.content.confirm;
}

/** A stored name as it may stand in a question: short, on one line, and nothing in it that a client makes a link of. */
export const shownName = (name: string): string =>
  clip(name, 80)
    .replaceAll(/:(?=\S)/g, " : ")
    .replaceAll(/\bwww\./gi, "www ");

/** Goes on only after a yes. `act` names what is to be done, `way` how it is allowed where nobody can be asked. */
export async function needYes(
  ctx: InteractiveContext,
  { message, act, way }: { message: string; act: string; way: string },
): Promise<void> {
  if (!ctx.client.can("elicit"))
    throw new ToolError(`Not done: your client cannot ask its user whether to ${act}. ${way} Nothing was changed.`);
  if (!(await isYes(ctx, message))) throw new ToolError(`Not done: the user did not agree to ${act}. Nothing was changed.`);
}
