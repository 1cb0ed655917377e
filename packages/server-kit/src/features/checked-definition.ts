// checkDefinitions: refuses other values than definitions in the lists of a server, which JavaScript does not notice before a request.
import { isObject } from "../wire/json-rpc.ts";
import { typeOf } from "./content.ts";

/** What makes the definitions of each list, and members that only they have. */
const MAKERS = {
  tools: { maker: "tool({ … })", members: ["listing", "call"] },
  resources: { maker: "resource({ … }) or template({ … })", members: ["key", "match"] },
  prompts: { maker: "prompt({ … })", members: ["listing", "get"] },
} as const;

type Feature = keyof typeof MAKERS;

export function checkDefinition(feature: Feature, entry: unknown): void {
  const { maker, members } = MAKERS[feature];
  if (isObject(entry) && members.every((member) => member in entry)) return;
  const name = isObject(entry) ? (entry.name ?? entry.uri) : undefined;
  const named = typeof name === "string" ? ` "${name}"` : "";
  throw new TypeError(`Invalid entry${named} of ${feature}: expected a definition, got ${typeOf(entry)}. Make it by ${maker}.`);
}

/** Throws a TypeError that names the member of the server's definition. */
export function checkList(member: string, value: unknown): void {
  if (value !== undefined && !Array.isArray(value)) throw new TypeError(`Invalid ${member}: expected a list, got ${typeOf(value)}.`);
}

export function checkDefinitions(feature: Feature, entries: readonly unknown[] | undefined): void {
  checkList(feature, entries);
  for (const entry of entries ?? []) checkDefinition(feature, entry);
}
