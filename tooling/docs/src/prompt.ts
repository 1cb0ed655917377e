import { prompt, user } from "@oarlock/server-kit";
import * as z from "zod";

export const review = prompt({
  name: "review",
  description: "Review a text.",
  args: z.object({ text: z.string(), focus: z.enum(["facts", "style"]).optional() }),
  complete: { focus: () => ["facts", "style"] },
  get: ({ text, focus = "facts" }) => [user(`Review this text with an eye on its ${focus}:\n\n${text}`)],
});
