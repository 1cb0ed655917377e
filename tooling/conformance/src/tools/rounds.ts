/** Tools whose questions the stateless era asks by results that require input; each is the plain, linear code of any era. */
import { tool, type InteractiveContext, type Answer } from "@oarlock/server-kit";
import { z } from "zod";
import { sampledText, userSays } from "../sampling.ts";

const named = z.object({ name: z.string() });
const confirmed = z.object({ ok: z.boolean() });

const nameOf = (answer: Answer<{ name: string }>): string => (answer.action === "accept" ? answer.content.name : "nobody");

async function confirm(ctx: InteractiveContext): Promise<string> {
  const { action } = await ctx.elicit({ key: "confirm", message: "Please confirm", schema: confirmed });
  return `state-ok: ${action}`;
}

const askName = (ctx: InteractiveContext, key: string, message: string) => ctx.elicit({ key, message, schema: named });
const capital = userSays("What is the capital of France?", 100);

export const rounds = [
  tool({
    name: "test_input_required_result_elicitation",
    description: "Asks for a name and greets it.",
    run: async (_input, ctx) => `Hello, ${nameOf(await askName(ctx, "user_name", "What is your name?"))}!`,
  }),
  tool({
    name: "test_input_required_result_sampling",
    description: "Asks the model for a capital.",
    run: async (_input, ctx) => sampledText(await ctx.sample(capital)),
  }),
  tool({
    name: "test_input_required_result_list_roots",
    description: "Asks for the client's folders and names them.",
    run: async (_input, ctx) => `Roots: ${(await ctx.roots()).map(({ uri }) => uri).join(", ")}`,
  }),
  tool({
    name: "test_input_required_result_request_state",
    description: "Asks once, and answers only to the state that it gave.",
    run: (_input, ctx) => confirm(ctx),
  }),
  tool({
    name: "test_input_required_result_tampered_state",
    description: "Asks once, and refuses a state that was changed.",
    run: (_input, ctx) => confirm(ctx),
  }),
  tool({
    name: "test_input_required_result_multiple_inputs",
    description: "Asks the person, the model and for the folders, all at once.",
    async run(_input, ctx) {
      const [name, greeting, roots] = await Promise.all([
        askName(ctx, "user_name", "What is your name?"),
        ctx.sample(userSays("Generate a greeting", 50)),
        ctx.roots(),
      ]);
      return `${sampledText(greeting)} ${nameOf(name)} of ${roots.length} roots`;
    },
  }),
  tool({
    name: "test_input_required_result_multi_round",
    description: "Asks for a name, then for a color.",
    async run(_input, ctx) {
      const name = nameOf(await askName(ctx, "step1", "Step 1: What is your name?"));
      const schema = z.object({ color: z.string() });
      const color = await ctx.elicit({ key: "step2", message: "Step 2: What is your favorite color?", schema });
      return `${name} likes ${color.action === "accept" ? color.content.color : "no color"}.`;
    },
  }),
  tool({
    name: "test_input_required_result_capabilities",
    description: "Asks only what this client declared that it can be asked.",
    async run(_input, ctx) {
      const answers: string[] = [];
      if (ctx.client.can("elicit")) answers.push(nameOf(await askName(ctx, "user_name", "What is your name?")));
      if (ctx.client.can("sample")) answers.push(sampledText(await ctx.sample(capital)));
      return `Asked ${answers.length} times. ${answers.join(" ")}`;
    },
  }),
];
