// Questions to the user: one boolean, and only an accepted `true` is a yes.
import type { InteractiveContext } from "@oarlock/server-kit";
import { flag, object } from "./argument-schemas.ts";

const schema = object({ confirm: flag("Yes, go on") });

export async function isYes(ctx: InteractiveContext, message: string): Promise<boolean> {
  const answer = await ctx.elicit({ message, schema });
  return answer.action === "accept" && answer.content.confirm;
}
