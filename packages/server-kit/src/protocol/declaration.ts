// ClientDeclaration: what a client says of itself in `initialize`, as far as the kit reads it. A session keeps it for hours, so the rest,
// such as icons and experimental capabilities, is dropped, and what stays is bounded.
import { isObject, type Json } from "../wire/json-rpc.ts";
import { invalidParams } from "./errors.ts";
import type { ClientCapabilities } from "./types.ts";

/** Longest name and longest version of a client, in characters. */
const MAX_NAME_LENGTH = 512;

/** Longest settings of all extensions of a client, in characters of JSON. */
const MAX_EXTENSIONS_LENGTH = 4096;

/** The capabilities that the kit reads, and the members of each. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  elicitation: ["form", "url"],
  sampling: ["tools", "context"],
  roots: [],
};

/** Name and version. Throws -32602 unless both are strings of at most 512 characters. */
export function readClientInfo(info: unknown): { name: string; version: string } {
  if (!isObject(info) || typeof info.name !== "string" || typeof info.version !== "string") {
    throw invalidParams("clientInfo: expected a name and a version, both strings");
  }
  const { name, version } = info;
  for (const [member, text] of Object.entries({ name, version })) {
    if (text.length > MAX_NAME_LENGTH) throw invalidParams(`clientInfo.${member}: expected at most ${MAX_NAME_LENGTH} characters`);
  }
  return { name, version };
}

/** The capabilities that the kit reads, with the settings of known extensions. Throws -32602 when these settings are too long. */
export function readCapabilities(value: unknown, knownExtensions: ReadonlySet<string>): ClientCapabilities {
  if (!isObject(value)) throw invalidParams("capabilities: expected an object");
  const kept: Json = {};
  for (const [name, members] of Object.entries(MEMBERS)) {
    const capability = value[name];
    if (isObject(capability)) kept[name] = presenceOf(capability, members);
  }
  const { extensions } = value;
  const known = isObject(extensions) ? Object.entries(extensions).filter(([id]) => knownExtensions.has(id)) : [];
  if (known.length === 0) return kept;
  kept.extensions = Object.fromEntries(known);
  if (JSON.stringify(kept.extensions).length > MAX_EXTENSIONS_LENGTH) {
    throw invalidParams(`capabilities.extensions: expected at most ${MAX_EXTENSIONS_LENGTH} characters in the settings of all extensions`);
  }
  return kept;
}

/** Which members there are, and whether they are objects: nothing else is read of them. */
function presenceOf(capability: Json, members: readonly string[]): Json {
  const present = members.filter((member) => capability[member] !== undefined);
  return Object.fromEntries(present.map((member) => [member, isObject(capability[member]) ? {} : null]));
}
