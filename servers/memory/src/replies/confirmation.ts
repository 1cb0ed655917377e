// Asks the user to confirm an action that loses something.
import { clip } from "@oarlock/domain-kit";
import { confirm, ToolError, type InteractiveContext } from "@oarlock/server-kit";

const MAX_NAME_LENGTH = 80;

/** A name from the graph for a question: short, on one line, and with no text that clients make links of. */
export const nameInQuestion = (name: string): string =>
  clip(name, MAX_NAME_LENGTH)
    .replaceAll(/:(?=\S)/g, " : ")
    .replaceAll(/\bwww\./gi, "www ");

export interface Confirmation {
  readonly question: string;
  /** A verb phrase, such as "merge entities". */
  readonly action: string;
  /** What to do where the client does not support elicitation. */
  readonly alternative: string;
}

/** Throws a ToolError unless the user accepts. */
export async function requireConfirmation(ctx: InteractiveContext, { question, action, alternative }: Confirmation): Promise<void> {
  const unsupported = `Not done: to ${action} needs confirmation by the user, and this client does not support elicitation. Nothing was changed. ${alternative}`;
  if (!(await confirm(ctx, question, unsupported))) throw new ToolError(`Not done: the user declined to ${action}. Nothing was changed.`);
}
