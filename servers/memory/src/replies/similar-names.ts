// Asks the user before an entity is created beside one of a similar name, where the client can ask.
import { confirm, ToolError, type InteractiveContext } from "@oarlock/server-kit";
import { SimilarNamesFound, type OnSimilar, type SimilarNames } from "../graph/write/similar-names.ts";
import { nameInQuestion } from "./confirmation.ts";

const UNSUPPORTED = "This client does not support elicitation.";

/** Writes. Where that would create similar names, nothing is written until the user has answered; without elicitation they are created. */
export async function writeAskingAboutSimilar<T>(ctx: InteractiveContext, write: (onSimilar: OnSimilar) => Promise<T>): Promise<T> {
  try {
    return await write("ask");
  } catch (error) {
    if (!(error instanceof SimilarNamesFound)) throw error;
    return await write(await askUser(ctx, error.similar));
  }
}

async function askUser(ctx: InteractiveContext, [first, ...others]: readonly SimilarNames[]): Promise<OnSimilar> {
  if (first === undefined) return "create";
  const more = others.length === 0 ? "" : `, and ${others.length} more that are like existing names`;
  const existing = first.existing.map(nameInQuestion).join(" and ");
  try {
    const isNew = await confirm(ctx, `Create ${nameInQuestion(first.name)} beside ${existing}${more}? They may be the same.`, UNSUPPORTED);
    return isNew ? "create" : "refuse";
  } catch (error) {
    if (error instanceof ToolError && error.message === UNSUPPORTED) return "create";
    throw error;
  }
}
