// Defines resources and templates. https://modelcontextprotocol.io/specification/2026-07-28/server/resources
import { invalidParams } from "../../protocol/errors.ts";
import type { Resource } from "../../protocol/types.ts";
import { CONTENTS, hintsOf } from "../cache.ts";
import { checkFunction, checkText } from "../checked-function.ts";
import { checkedMeta } from "../schema/meta-keys.ts";
import type { ResourceDefinition, ResourceDescription, ResourceSpec, TemplateSpec } from "./resource-types.ts";
import { truncate } from "../schema/schema.ts";
import { uriTemplate } from "./uri-template.ts";

type Variables<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `+${infer Bare}` ? Bare : Name) | Variables<Rest>
  : never;

/**
 * Defines one resource at a fixed address.
 * @example
 * const status = resource({ uri: "app://status", name: "status", mimeType: "text/plain", read: () => "all is well" });
 */
export function resource<S = undefined>(spec: ResourceSpec<S>): ResourceDefinition {
  checkMembers("resource", spec);
  checkScheme(spec.uri);
  const hints = hintsOf(spec.cache ?? {}, CONTENTS);
  const listed: Resource = { uri: spec.uri, ...described(spec), ...(spec.size !== undefined && { size: spec.size }) };
  return {
    key: spec.uri,
    resource: listed,
    watchable: spec.watch !== undefined,
    noticesOtherProcesses: spec.noticesOtherProcesses === true,
    hints: () => hints,
    complete: {},
    match: (uri) => (uri === spec.uri ? {} : undefined),
    read: (_variables, ctx, uri) => spec.read(ctx, uri),
    subscribe: (_variables, ctx, uri) => spec.subscribe?.(ctx, uri),
    watch: (_variables, changed, uri, source) => spec.watch?.(changed, uri, source as S) ?? refuseWatch(), // returned by `subscribe`
  };
}

/**
 * Defines a family of resources by a URI template.
 * @example
 * const note = template({
 *   uri: "note:///{name}",
 *   name: "note",
 *   complete: { name: (typed) => ["today", "tomorrow"].filter((name) => name.startsWith(typed)) },
 *   read: ({ name }) => `# ${name}`,
 * });
 */
export function template<T extends string, S = undefined>(spec: TemplateSpec<Variables<T>, S> & { uri: T }): ResourceDefinition {
  checkMembers("template", spec);
  if (spec.match === undefined) checkScheme(spec.uri);
  const compiled = uriTemplate(spec.uri);
  const { cache = {} } = spec;
  const hints = typeof cache === "function" ? undefined : hintsOf(cache, CONTENTS);
  return {
    key: spec.uri,
    template: { uriTemplate: spec.uri, ...described(spec) },
    watchable: spec.watch !== undefined,
    noticesOtherProcesses: spec.noticesOtherProcesses === true,
    hints: (variables) => hints ?? hintsOf(typeof cache === "function" ? cache(variables) : cache, CONTENTS),
    complete: spec.complete ?? {},
    ...(spec.list !== undefined && { list: spec.list.bind(spec) }),
    match: (uri) => (spec.match === undefined ? compiled.match(uri) : spec.match(uri)),
    read: (variables, ctx, uri) => spec.read(variables, ctx, uri),
    subscribe: (variables, ctx, uri) => spec.subscribe?.(variables, ctx, uri),
    watch: (variables, changed, uri, source) => spec.watch?.(variables, changed, uri, source as S) ?? refuseWatch(), // as above
  };
}

function described({ name, title, description, mimeType, annotations, icons, meta }: Omit<ResourceDescription, "cache">) {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
    ...(annotations !== undefined && { annotations }),
    ...(icons !== undefined && { icons }),
    ...(meta !== undefined && { _meta: checkedMeta(meta, `resource "${name}"`) }),
  };
}

function checkMembers(kind: string, { uri, name, read }: { uri: string; name: string; read: unknown }): void {
  checkText(uri, kind, "uri");
  const owner = `${kind} "${truncate(uri)}"`;
  checkText(name, owner, "name");
  checkFunction(read, owner, "read");
}

function checkScheme(uri: string): void {
  if (!/^[a-z][a-z0-9+.-]*:\S*$/i.test(uri))
    throw new TypeError(`Resource "${truncate(uri)}" has no scheme: expected an address such as note://today.`);
}

const refuseWatch = (): never => {
  throw invalidParams("This resource cannot be subscribed to");
};
