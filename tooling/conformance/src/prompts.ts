/** The prompts of the suite. */
import { embed, image, prompt, user } from "@oarlock/server-kit";
import { z } from "zod";
import { PIXEL } from "./media.ts";

const startingWith =
  (...values: string[]) =>
  (typed: string) =>
    values.filter((value) => value.startsWith(typed));

export const prompts = [
  prompt({
    name: "test_simple_prompt",
    description: "One message, no arguments.",
    get: () => "This is a simple prompt for testing.",
  }),
  prompt({
    name: "test_prompt_with_arguments",
    description: "One message, made of two arguments.",
    args: z.object({ arg1: z.string().describe("First test argument"), arg2: z.string().describe("Second test argument") }),
    complete: { arg1: startingWith("paris", "park", "party", "test"), arg2: startingWith("test") },
    get: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  }),
  prompt({
    name: "test_prompt_with_embedded_resource",
    description: "A resource, and what to do with it.",
    args: z.object({ resourceUri: z.string().describe("URI of the resource to embed") }),
    get: ({ resourceUri }) => [
      user(embed({ uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." })),
      user("Please process the embedded resource above."),
    ],
  }),
  prompt({
    name: "test_prompt_with_image",
    description: "A picture, and what to do with it.",
    get: () => [user(image(PIXEL, "image/png")), user("Please analyze the image above.")],
  }),
  prompt({
    name: "test_input_required_result_prompt",
    description: "Asks for a context before it says anything.",
    async get(_args, ctx) {
      const schema = z.object({ context: z.string() });
      const answer = await ctx.elicit({ key: "user_context", message: "What context should the prompt use?", schema });
      return `Work in this context: ${answer.action === "accept" ? answer.content.context : "none"}`;
    },
  }),
];
