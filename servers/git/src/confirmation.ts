// Questions to the user: one boolean, and only an accepted `true` is a yes.
import { ToolError, type InteractiveContext } from "@oarlock/server-kit";
import type { Parts } from "./dependencies.ts";
import { shown } from "./repo/text/file-names.ts";
import { flag, object } from "./schema.ts";

const schema = object({ confirm: flag("Yes, go on") });

/** Goes on only with the operator's word or the user's. `what` begins with a verb: "Discard the changes in 3 files". */
export async function mayDiscard({ allowDiscard }: Parts, ctx: InteractiveContext, act: string, instead = ""): Promise<void> {
  if (allowDiscard) return;
  // A name in it must not look like words of the server's own.
  const what = shown(act);
  if (!ctx.client.can("elicit"))
    throw new ToolError(
      `Not done: your client cannot ask its user: ${what}? Start the server with --allow-discard to allow it without a question.${instead}`,
    );
  const answer = await ctx.elicit({ message: `${what}? This cannot be undone.`, schema });
  if (answer.action !== "accept" || !answer.content.confirm)
    throw new ToolError(`Not done: the user did not agree. The question was: ${what}?`);
}
