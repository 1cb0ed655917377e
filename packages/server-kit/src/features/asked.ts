// The explicit way to ask: a handler returns its questions instead of a result, and is run again with the answers.
// Handlers that `await ctx.elicit(…)` need none of this.
import type { SampleRequest } from "../protocol/types.ts";
import { isObject } from "../wire/json-rpc.ts";
import { after, type Awaitable } from "./after.ts";
import type { InteractiveContext, Elicitation } from "./context.ts";
import type { Schema } from "./schema.ts";

/** One question: to the person by a form or a page, to the model, or for the client's folders. */
export type AskFor =
  | { elicit: Omit<Elicitation<Schema>, "key"> }
  | { elicitUrl: { message: string; url: string } }
  | { sample: SampleRequest }
  | { roots: true };

/** Questions that a handler returned instead of a result. */
export class Asked {
  readonly questions: Readonly<Record<string, AskFor>>;

  constructor(questions: Readonly<Record<string, AskFor>>) {
    this.questions = questions;
  }
}

/**
 * What a handler returns that needs answers first: they stand in `ctx.answers` under the same names when it runs again.
 * @example
 * function run({ path }: { path: string }, ctx: InteractiveContext) {
 *   const sure = ctx.answers.sure as Answer<{ yes: boolean }> | undefined;
 *   if (sure === undefined) return ask({ sure: { elicit: { message: `Delete ${path}?`, schema: z.object({ yes: z.boolean() }) } } });
 *   return sure.action === "accept" && sure.content.yes ? remove(path) : "Kept.";
 * }
 */
export function ask(questions: Readonly<Record<string, AskFor>>): Asked {
  const known = (one: unknown): boolean => isObject(one) && KINDS.some((kind) => kind in one);
  const all = Object.values(questions);
  if (all.length === 0 || !all.every(known)) throw new TypeError(`ask(): expected questions, each by elicit, elicitUrl, sample or roots`);
  return new Asked(questions);
}

const KINDS = ["elicit", "elicitUrl", "sample", "roots"];

/** More rounds than any conversation with a person has. */
const MOST_ROUNDS = 20;

/** Runs a handler until it returns something else than questions. */
export function answered<T>(run: () => Awaitable<T | Asked>, ctx: InteractiveContext): Awaitable<T> {
  return after(run(), (returned) => (returned instanceof Asked ? rounds(returned, run, ctx) : returned));
}

async function rounds<T>(first: Asked, run: () => Awaitable<T | Asked>, ctx: InteractiveContext): Promise<T> {
  let asked = first;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    // All at once, so that they go out together.
    await Promise.all(
      Object.entries(asked.questions).map(async ([key, question]) => {
        ctx.answers[key] = await answerTo(question, key, ctx);
      }),
    );
    const returned = await run();
    if (!(returned instanceof Asked)) return returned;
    asked = returned;
  }
  throw new Error(`a handler asked more than ${MOST_ROUNDS} times`);
}

function answerTo(question: AskFor, key: string, ctx: InteractiveContext): Promise<unknown> {
  if ("elicit" in question) return ctx.elicit({ ...question.elicit, key });
  if ("elicitUrl" in question) return ctx.elicitUrl({ ...question.elicitUrl, key });
  if ("sample" in question) return ctx.sample({ ...question.sample, key });
  return ctx.roots();
}
