// Defines and gets prompts. https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
import { isObject, type Json } from "../wire/json-rpc.ts";
import { invalidParams } from "../protocol/errors.ts";
import type { Block, GetPromptResult, Icon, Meta, Prompt, PromptArgument, PromptMessage } from "../protocol/types.ts";
import type { Awaitable } from "./awaitable.ts";
import { checkFunction, checkText } from "./checked-function.ts";
import { checkedMeta } from "./schema/meta-keys.ts";
import { checkBlock, typeOf } from "./content.ts";
import type { Completer, InteractiveContext } from "./context.ts";
import type { Registry } from "./registry.ts";
import { publish } from "./schema/json-schema.ts";
import {
  describeIssues,
  type InferInput,
  type InferOutput,
  type Lazy,
  type Schema,
  type Validated,
  nameInMessage,
} from "./schema/schema.ts";
import { isLazy, lazily } from "./schema/checked-schema.ts";

/** Return value of `get`: messages, or the text of one user message. */
export type PromptReturn = string | PromptMessage[];

/** A prompt as its author writes it. https://modelcontextprotocol.io/specification/2026-07-28/server/prompts */
export interface PromptSpec<A extends Schema> {
  name: string;
  title?: string;
  description?: string;
  /** An object of strings; optional members become optional arguments. */
  args?: Lazy<A>;
  complete?: { [K in keyof InferInput<A>]?: Completer };
  icons?: Icon[];
  meta?: Meta;
  get(args: InferOutput<A>, ctx: InteractiveContext): Awaitable<PromptReturn>;
}

/** A prompt, ready to be put into a server. */
export interface PromptDefinition {
  readonly name: string;
  readonly complete: Readonly<Record<string, Completer | undefined>>;
  listing(): Prompt;
  get(args: Json, ctx: InteractiveContext): Promise<GetPromptResult>;
}

const message = (role: "user" | "assistant", content: string | Block): PromptMessage => ({
  role,
  content: typeof content === "string" ? { type: "text", text: content } : content,
});
/** A message of the user. */
export const user = (content: string | Block): PromptMessage => message("user", content);
/** A message of the assistant. */
export const assistant = (content: string | Block): PromptMessage => message("assistant", content);

/**
 * Defines a prompt.
 * @example
 * const greet = prompt({
 *   name: "greet",
 *   args: z.object({ who: z.string().describe("Whom to greet") }),
 *   complete: { who: (typed) => ["Ada", "Grace"].filter((name) => name.startsWith(typed)) },
 *   get: ({ who }) => `Greet ${who} warmly.`,
 * });
 */
export function prompt<A extends Schema = Schema<Json>>(spec: PromptSpec<A>): PromptDefinition {
  const { name, title, description, icons, meta } = spec;
  checkText(name, "prompt", "name");
  const owner = `prompt "${name}"`;
  checkFunction(spec.get, owner, "get");
  const args = lazily(spec.args, owner);
  const shape = (schema: A): Json => publish(schema, "input", { owner, strictHosts: true });
  let listed: Prompt | undefined;
  const listing = (): Prompt => {
    const schema = args();
    listed ??= {
      name,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(schema !== undefined && { arguments: argumentsOf(shape(schema)) }),
      ...(icons !== undefined && { icons }),
      ...(meta !== undefined && { _meta: checkedMeta(meta, owner) }),
    };
    return listed;
  };
  if (!isLazy(spec.args)) listing();
  return {
    name,
    complete: spec.complete ?? {},
    listing,
    async get(values, ctx) {
      const schema = args();
      const valid = schema === undefined ? values : validArguments(name, await schema["~standard"].validate(values));
      const returned = await spec.get(valid, ctx);
      return {
        ...(description !== undefined && { description }),
        messages: typeof returned === "string" ? [user(returned)] : messagesOf(returned, name),
      };
    },
  };
}

/** Checked at run time for authors who write JavaScript. */
function messagesOf(returned: unknown, name: string): PromptMessage[] {
  if (Array.isArray(returned) && returned.every(isMessage)) {
    for (const { content } of returned) checkBlock(content, `Prompt "${name}"`);
    return returned;
  }
  throw new TypeError(`Prompt "${name}" returned ${typeOf(returned)}: expected text, or a list of user(…) and assistant(…).`);
}

const isMessage = (one: unknown): one is PromptMessage =>
  isObject(one) && (one.role === "user" || one.role === "assistant") && isObject(one.content) && typeof one.content.type === "string";

function argumentsOf(schema: Json): PromptArgument[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(isObject(schema.properties) ? schema.properties : {}).map(([name, property]) => {
    const argument: PromptArgument = { name };
    if (isObject(property) && typeof property.title === "string") argument.title = property.title;
    if (isObject(property) && typeof property.description === "string") argument.description = property.description;
    if (required.includes(name)) argument.required = true;
    return argument;
  });
}

function validArguments(name: string, checked: Validated<unknown>): unknown {
  if (checked.issues === undefined) return checked.value;
  throw invalidParams(`Invalid arguments for prompt ${name}:\n${describeIssues(checked.issues)}`);
}

/** `prompts/get`. */
export async function getPrompt(prompts: Registry<PromptDefinition>, params: Json, ctx: InteractiveContext): Promise<GetPromptResult> {
  const { name } = params;
  const args = params.arguments ?? {};
  if (typeof name !== "string") throw invalidParams("name: expected a string");
  if (!isObject(args)) throw invalidParams("arguments: expected an object");
  for (const [key, value] of Object.entries(args)) {
    if (typeof value !== "string") throw invalidParams(`arguments.${nameInMessage(key, 64)}: expected a string`);
  }
  const found = prompts.get(name);
  if (found === undefined) throw invalidParams(`Unknown prompt: ${nameInMessage(name)}`);
  return found.get(args, ctx);
}
