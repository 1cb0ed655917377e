/** Tools that send one elicitation or sampling request and return its response as text. */
import { fromJsonSchema, tool, type Answer } from "@oarlock/server-kit";
import { z } from "zod";
import { sampledText, userSays } from "../sampling.ts";

const describeAnswer = (answer: Answer<unknown>): string =>
  answer.action === "accept" ? `action=accept, content=${JSON.stringify(answer.content)}` : `action=${answer.action}`;

const contact = z.object({
  username: z.string().describe("User's response"),
  email: z.string().describe("User's email address"),
});

const defaults = z.object({
  name: z.string().default("John Doe"),
  age: z.int().default(30),
  score: z.number().default(95.5),
  status: z.enum(["active", "inactive", "pending"]).default("active"),
  verified: z.boolean().default(true),
});

const titled = (...titles: string[]) => titles.map((title, index) => ({ const: `value${index + 1}`, title }));
const options = ["option1", "option2", "option3"];

/** The five ways in which a form can offer a choice. */
const choices = fromJsonSchema<Record<string, string | string[]>>(
  {
    type: "object",
    properties: {
      untitledSingle: { type: "string", enum: options },
      titledSingle: { type: "string", oneOf: titled("First Option", "Second Option", "Third Option") },
      legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["Option One", "Option Two", "Option Three"] },
      untitledMulti: { type: "array", items: { type: "string", enum: options } },
      titledMulti: { type: "array", items: { anyOf: titled("First Choice", "Second Choice", "Third Choice") } },
    },
  },
  (value) => Object.keys(value).find((name) => !["string", "object"].includes(typeof value[name])),
);

export const questions = [
  tool({
    name: "test_sampling",
    description: "Asks the client's model.",
    input: z.object({ prompt: z.string().describe("What the model is asked") }),
    run: async ({ prompt }, ctx) => `LLM response: ${sampledText(await ctx.sample(userSays(prompt, 100)))}`,
  }),
  tool({
    name: "test_elicitation",
    description: "Asks the person for a name and an address.",
    input: z.object({ message: z.string().describe("What the person is asked") }),
    run: async ({ message }, ctx) => `User response: ${describeAnswer(await ctx.elicit({ message, schema: contact }))}`,
  }),
  tool({
    name: "test_elicitation_sep1034_defaults",
    description: "Asks with a form whose every field has a default.",
    run: async (_input, ctx) =>
      `Elicitation completed: ${describeAnswer(await ctx.elicit({ message: "Please review the form's defaults", schema: defaults }))}`,
  }),
  tool({
    name: "test_elicitation_sep1330_enums",
    description: "Asks with a form of every kind of choice.",
    run: async (_input, ctx) => `Elicitation completed: ${describeAnswer(await ctx.elicit({ message: "Please choose", schema: choices }))}`,
  }),
  tool({
    name: "test_missing_capability",
    description: "Needs a client with a model, and is refused to others.",
    run: async (_input, ctx) => sampledText(await ctx.sample(userSays("Say hello", 50))),
  }),
  tool({
    name: "test_streaming_elicitation",
    description: "Reports progress, then asks the person.",
    async run(_input, ctx) {
      ctx.progress(50, 100);
      return `Elicitation completed: ${describeAnswer(await ctx.elicit({ message: "Please confirm", schema: z.object({ ok: z.boolean() }) }))}`;
    },
  }),
];
