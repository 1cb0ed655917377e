import { tool, ToolError } from "@oarlock/server-kit";
import * as z from "zod";

export const forget = (notes: Set<string>) =>
  tool({
    name: "forget",
    description: "Delete a note, after its owner agreed.",
    input: z.object({ name: z.string() }),
    hints: { destructive: true },
    async run({ name }, ctx) {
      if (!notes.has(name)) throw new ToolError(`There is no note ${name}`); // look
      if (!ctx.client.can("elicit")) throw new ToolError("Your client cannot ask you; delete the note by hand");
      const schema = z.object({ sure: z.boolean() });
      const answer = await ctx.elicit({ message: `Delete ${name}?`, schema }); // ask
      if (answer.action !== "accept" || !answer.content.sure) return "Kept";
      notes.delete(name); // then act: in the newest revision the lines above run again with the answer
      return "Deleted";
    },
  });
