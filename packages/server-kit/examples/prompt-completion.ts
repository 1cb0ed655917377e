// A prompt whose argument "focus" has completion.
import { defineServer, prompt, user } from "@oarlock/server-kit";
import { serveStdio } from "@oarlock/server-kit/node";
import * as z from "zod";

const review = prompt({
  name: "review",
  description: "Review a text.",
  args: z.object({ text: z.string(), focus: z.enum(["facts", "style"]).optional() }),
  complete: { focus: (prefix) => ["facts", "style"].filter((value) => value.startsWith(prefix)) },
  get: ({ text, focus = "facts" }) => [user(`Review the ${focus} of this text:\n\n${text}`)],
});

const server = defineServer({ name: "reviews", version: "1.0.0", prompts: [review] });
await serveStdio(server).ended;
