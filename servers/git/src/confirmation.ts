// Asks the user before work is discarded or deleted.
import { confirm, ToolError, type InteractiveContext } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import type { Dependencies } from "./dependencies.ts";

/** For an act that only hides commits: git keeps them at least for this time, by its default settings. */
export const COMMITS_STAY = "Its commits can be brought back by their id for two weeks.";

/**
 * Returns only when the operator or the user allows the act; throws a {@link ToolError} otherwise.
 * @param act Begins with a verb: "Discard the changes in 3 files".
 * @param alternative A sentence for clients that cannot ask: what to do in place of it.
 * @param outcome A sentence for the user: whether the act can be undone.
 */
export async function confirmDiscard(
  { allowDiscard }: Pick<Dependencies, "allowDiscard">,
  ctx: InteractiveContext,
  act: string,
  { alternative = "", outcome = "This cannot be undone." }: { alternative?: string; outcome?: string } = {},
): Promise<void> {
  if (allowDiscard) return;
  // A name in the text must not look like words of the server.
  const question = `${escapeControls(act)}?`;
  const unsupported = `Not done: this needs the user's confirmation, and the client does not support elicitation: ${question} To allow it without asking, start the server with --allow-discard.${alternative}`;
  if (!(await confirm(ctx, `${question} ${outcome}`, unsupported))) throw new ToolError(`Not done: the user declined: ${question}`);
}
