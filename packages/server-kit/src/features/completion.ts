// Answers completion/complete: completion of prompt arguments and template variables.
// https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
import { isObject, type Json } from "../wire/json-rpc.ts";
import { invalidParams } from "../protocol/errors.ts";
import type { CompleteResult } from "../protocol/types.ts";
import { typeOf } from "./content.ts";
import type { Completer, Context } from "./context.ts";
import type { PromptDefinition } from "./prompts.ts";
import type { Registry } from "./registry.ts";
import type { ResourceDefinition } from "./resources/resource-types.ts";
import { truncate, nameInMessage } from "./schema/schema.ts";

const MAX_VALUES = 100;
const MAX_VALUE_LENGTH = 4096;

/** Characters that break lines or change the direction of text. Joiners, which are invisible too, belong to words and emojis. */
const MISLEADING = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** The features whose arguments and variables are completed. */
interface Completed {
  readonly prompts: Registry<PromptDefinition>;
  readonly resources: Registry<ResourceDefinition>;
}

/** `completion/complete`. */
export async function complete(features: Completed, params: Json, ctx: Context): Promise<CompleteResult> {
  const { ref, argument, context } = params;
  if (!isObject(ref)) throw invalidParams("ref: expected an object");
  if (!isObject(argument) || typeof argument.name !== "string" || typeof argument.value !== "string") {
    throw invalidParams("argument: expected a name and a value, both strings");
  }
  if (argument.value.length > MAX_VALUE_LENGTH) throw invalidParams(`argument.value: longer than ${MAX_VALUE_LENGTH} characters`);
  const completer = completerOf(features, ref, argument.name);
  if (completer === undefined) return { completion: { values: [], total: 0, hasMore: false } };
  const { name } = argument;
  const values = await completer(argument.value, ctx, settled(context));
  if (!areTexts(values))
    throw new TypeError(`The completion of "${truncate(name, 128)}" returned ${typeOf(values)}: expected a list of texts.`);
  // A value is used as it is, so it cannot be escaped; one that would show as another text is not offered.
  const offered = values.filter((value) => !MISLEADING.test(value));
  return { completion: { values: offered.slice(0, MAX_VALUES), total: offered.length, hasMore: offered.length > MAX_VALUES } };
}

/** Checked at run time for authors who write JavaScript. */
const areTexts = (values: unknown): values is readonly string[] =>
  Array.isArray(values) && values.slice(0, MAX_VALUES).every((value) => typeof value === "string");

function completerOf({ prompts, resources }: Completed, ref: Json, argument: string): Completer | undefined {
  if (ref.type === "ref/prompt" && typeof ref.name === "string") {
    const prompt = prompts.get(ref.name);
    if (prompt === undefined) throw invalidParams(`Unknown prompt: ${nameInMessage(ref.name)}`);
    const known = prompt.listing().arguments?.some(({ name }) => name === argument) === true;
    if (!known) throw invalidParams(`Unknown argument: ${nameInMessage(argument)}`);
    return own(prompt.complete, argument);
  }
  if (ref.type === "ref/resource" && typeof ref.uri === "string") {
    const uri = ref.uri;
    const resource = resources.get(uri) ?? [...resources].find(({ match }) => match(uri) !== undefined);
    if (resource === undefined) throw invalidParams(`Unknown resource or template: ${nameInMessage(uri)}`);
    return own(resource.complete, argument);
  }
  throw invalidParams('ref: expected {type: "ref/prompt", name} or {type: "ref/resource", uri}');
}

const own = (completers: Readonly<Record<string, Completer | undefined>>, name: string): Completer | undefined =>
  Object.hasOwn(completers, name) ? completers[name] : undefined;

function settled(context: unknown): Record<string, string> {
  const given = isObject(context) && isObject(context.arguments) ? context.arguments : {};
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
