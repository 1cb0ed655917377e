// Answers resources/list, resources/templates/list and resources/read.
// https://modelcontextprotocol.io/specification/2026-07-28/server/resources
import { invalidParams, resourceNotFound } from "../../protocol/errors.ts";
import type { ReadResourceResult, Resource, ResourceContents } from "../../protocol/types.ts";
import { isObject, type Json } from "../../wire/json-rpc.ts";
import { toBase64, typeOf } from "../content.ts";
import type { Context, InteractiveContext } from "../context.ts";
import type { Registry } from "../registry.ts";
import type { ResourceDefinition } from "./resource-types.ts";
import { truncate } from "../schema/schema.ts";
import { lowerScheme } from "./uri-template.ts";

const MAX_URI_LENGTH = 8192;

export interface FoundResource {
  readonly definition: ResourceDefinition;
  readonly variables: Record<string, string>;
}

/** Finds the definition that serves an address; fixed addresses come before templates. Throws "not found". */
export function findResource(all: Registry<ResourceDefinition>, uri: unknown): FoundResource {
  if (typeof uri !== "string") throw invalidParams("uri: expected a string");
  if (uri.length > MAX_URI_LENGTH) throw invalidParams(`uri: longer than ${MAX_URI_LENGTH} characters`);
  const fixed = all.get(uri) ?? all.get(lowerScheme(uri));
  if (fixed?.resource !== undefined) return { definition: fixed, variables: {} };
  for (const definition of all) {
    if (definition.template === undefined) continue;
    const variables = definition.match(uri);
    if (variables !== undefined) return { definition, variables };
  }
  throw resourceNotFound(uri);
}

/** `resources/read`. */
export async function readResource(all: Registry<ResourceDefinition>, params: Json, ctx: InteractiveContext): Promise<ReadResourceResult> {
  const { definition, variables } = findResource(all, params.uri);
  const uri = String(params.uri); // findResource has checked that it is a string
  const read = await definition.read(variables, ctx, uri);
  if (read === undefined) throw resourceNotFound(uri);
  const { mimeType } = definition.resource ?? definition.template ?? {};
  return {
    contents: (Array.isArray(read) ? read : [read]).map((one) => contentsOf(one, uri, mimeType)),
    ...definition.hints(variables),
  };
}

/** Checked at run time for authors who write JavaScript. */
function contentsOf(read: unknown, uri: string, mimeType: string | undefined): ResourceContents {
  const base = { uri, ...(mimeType !== undefined && { mimeType }) };
  if (typeof read === "string") return { ...base, text: read };
  const { text, blob, ...rest } = read instanceof Uint8Array ? { blob: read } : isObject(read) ? read : {};
  if (typeof text === "string") return { ...base, ...rest, text };
  if (typeof blob === "string" || blob instanceof Uint8Array) return { ...base, ...rest, blob: toBase64(blob) };
  throw new TypeError(`Reading ${truncate(uri)} returned ${typeOf(read)}: expected text, bytes, { text }, or { blob }.`);
}

/** All resources: fixed ones first, then those that templates list. */
export async function listedResources(all: Registry<ResourceDefinition>, ctx: Context): Promise<readonly Resource[]> {
  const lists = await Promise.all(
    [...all].map(async (definition) => (definition.resource ? [definition.resource] : ((await definition.list?.(ctx)) ?? []))),
  );
  return withoutDuplicates(lists.flat(), all);
}

/** A cursor names an address: a duplicate would lead back to its first place for ever. A fixed resource wins over a template's entry. */
function withoutDuplicates(listed: readonly Resource[], all: Registry<ResourceDefinition>): readonly Resource[] {
  const byUri = new Map<string, Resource>();
  for (const item of listed) if (!byUri.has(item.uri)) byUri.set(item.uri, all.get(item.uri)?.resource ?? item);
  return byUri.size === listed.length ? listed : [...byUri.values()];
}
