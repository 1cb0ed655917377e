// Resources and templates: define, list, read, watch. https://modelcontextprotocol.io/specification/2026-07-28/server/resources
import { isObject, type Json } from "../wire/json-rpc.ts";
import { invalidParams, resourceNotFound } from "../protocol/errors.ts";
import type { Annotations, Icon, Meta, ReadResourceResult, Resource, ResourceContents, ResourceTemplate } from "../protocol/types.ts";
import { after, type Awaitable } from "./after.ts";
import { checkedMeta } from "./meta-keys.ts";
import { typeOf } from "./content.ts";
import { answered, type Asked } from "./asked.ts";
import type { InteractiveContext, Context } from "./context.ts";
import type { Completer } from "./completion.ts";
import { CONTENTS, hintsOf, type Cache } from "./cache.ts";
import { pageOf } from "./paging.ts";
import { truncate } from "./schema.ts";
import type { Registry } from "./registry.ts";
import { lowerScheme, uriTemplate, type UriTemplate } from "./uri-template.ts";

/** What `read` may return. Text is what is representable as text; `blob` is base64. Undefined: there is no such resource. */
export type Contents =
  | string
  | { text: string; mimeType?: string; uri?: string; _meta?: Meta }
  | { blob: string; mimeType?: string; uri?: string; _meta?: Meta };
type ReadReturn = Contents | Contents[] | undefined;

/** Ends a watch; may give a promise. */
export type StopWatching = () => void;

interface Described {
  name: string;
  /** How long clients may keep the contents (newest era). Default: not at all. */
  cache?: Cache;
  title?: string;
  description?: string;
  mimeType?: string;
  annotations?: Annotations;
  icons?: Icon[];
  meta?: Meta;
}

/** One resource as its author writes it. */
export interface ResourceSpec extends Described {
  uri: string;
  /** Raw bytes. */
  size?: number;
  read(ctx: InteractiveContext, uri: string): Awaitable<ReadReturn | Asked>;
  /** Calls `changed` at each change until stopped. Without it the resource cannot be subscribed to. */
  watch?(changed: () => void, ctx: Context, uri: string): Awaitable<StopWatching>;
}

/** A family of resources as its author writes it. */
export interface TemplateSpec<V extends string> extends Omit<Described, "cache"> {
  /** The same, or told by the variables: what is named by its hash never changes. */
  cache?: Cache | ((variables: Record<V, string>) => Cache);
  /** `file:///{+path}`; see `uri-template.ts` for what is served. */
  uri: string;
  /** Resources of this template that stand in `resources/list`. */
  list?(ctx: Context): Awaitable<readonly Resource[]>;
  /** Reads an address differently from the template, or throws what is wrong with it. Undefined: not this template's. */
  match?(uri: string): Record<V, string> | undefined;
  complete?: Partial<Record<V, Completer>>;
  read(variables: Record<V, string>, ctx: InteractiveContext, uri: string): Awaitable<ReadReturn | Asked>;
  watch?(variables: Record<V, string>, changed: () => void, ctx: Context, uri: string): Awaitable<StopWatching>;
}

type Variables<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `+${infer Bare}` ? Bare : Name) | Variables<Rest>
  : never;

/** A resource or a template, ready to be put into a server. */
export interface ResourceDefinition {
  /** The address, or the template's text: unique in the server. */
  readonly key: string;
  readonly template?: ResourceTemplate;
  readonly resource?: Resource;
  readonly watchable: boolean;
  /** As results carry them. */
  hints(variables: Record<string, string>): Json;
  readonly complete: Readonly<Record<string, Completer | undefined>>;
  list?(ctx: Context): Awaitable<readonly Resource[]>;
  /** The variables when this definition serves the address. */
  match(uri: string): Record<string, string> | undefined;
  read(variables: Record<string, string>, ctx: InteractiveContext, uri: string): Awaitable<ReadReturn | Asked>;
  watch(variables: Record<string, string>, changed: () => void, ctx: Context, uri: string): Awaitable<StopWatching>;
}

function describe({
  name,
  title,
  description,
  mimeType,
  annotations,
  icons,
  meta,
}: Omit<Described, "cache">): Omit<Described, "cache"> & { _meta?: Meta } {
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

function checkScheme(uri: string): void {
  if (!/^[a-z][a-z0-9+.-]*:\S*$/i.test(uri))
    throw new TypeError(`resource "${truncate(uri)}": expected an address that begins with a scheme, like note://`);
}

const cannotWatch = (): never => {
  throw invalidParams("This resource cannot be subscribed to");
};

/**
 * Defines one resource at a fixed address.
 * @example
 * const status = resource({ uri: "app://status", name: "status", mimeType: "text/plain", read: () => "all is well" });
 */
export function resource(spec: ResourceSpec): ResourceDefinition {
  checkScheme(spec.uri);
  const hints = hintsOf(spec.cache ?? {}, CONTENTS);
  const listed: Resource = { uri: spec.uri, ...describe(spec), ...(spec.size !== undefined && { size: spec.size }) };
  return {
    key: spec.uri,
    resource: listed,
    watchable: spec.watch !== undefined,
    hints: () => hints,
    complete: {},
    match: (uri) => (uri === spec.uri ? {} : undefined),
    read: (_variables, ctx, uri) => spec.read(ctx, uri),
    watch: (_variables, changed, ctx, uri) => spec.watch?.(changed, ctx, uri) ?? cannotWatch(),
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
export function template<T extends string>(spec: TemplateSpec<Variables<T>> & { uri: T }): ResourceDefinition {
  if (spec.match === undefined) checkScheme(spec.uri);
  const compiled: UriTemplate = uriTemplate(spec.uri);
  const { cache = {} } = spec;
  const hints = typeof cache === "function" ? undefined : hintsOf(cache, CONTENTS);
  return {
    key: spec.uri,
    template: { uriTemplate: spec.uri, ...describe(spec) },
    watchable: spec.watch !== undefined,
    hints: (variables) => hints ?? hintsOf(typeof cache === "function" ? cache(variables) : cache, CONTENTS),
    complete: spec.complete ?? {},
    ...(spec.list !== undefined && { list: spec.list.bind(spec) }),
    match: (uri) => (spec.match === undefined ? compiled.match(uri) : spec.match(uri)),
    read: (variables, ctx, uri) => spec.read(variables, ctx, uri),
    watch: (variables, changed, ctx, uri) => spec.watch?.(variables, changed, ctx, uri) ?? cannotWatch(),
  };
}

export interface Found {
  readonly definition: ResourceDefinition;
  readonly variables: Record<string, string>;
}

/** Finds what serves an address; fixed addresses come before templates. Throws "not found". */
export function findResource(all: Registry<ResourceDefinition>, uri: unknown): Found {
  if (typeof uri !== "string") throw invalidParams("uri: expected a string");
  if (uri.length > 8192) throw invalidParams("uri: longer than 8192 characters");
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
export function readResource(all: Registry<ResourceDefinition>, params: Json, ctx: InteractiveContext): Awaitable<ReadResourceResult> {
  const { definition, variables } = findResource(all, params.uri);
  const uri = String(params.uri); // a string: findResource has looked
  return after(
    answered(() => definition.read(variables, ctx, uri), ctx),
    (read) => {
      if (read === undefined) throw resourceNotFound(uri);
      const entry = definition.resource ?? definition.template;
      return {
        contents: (Array.isArray(read) ? read : [read]).map((one) => contentsOf(one, uri, entry?.mimeType)),
        ...definition.hints(variables),
      };
    },
  );
}

function contentsOf(read: unknown, uri: string, mimeType: string | undefined): ResourceContents {
  const base = { uri, ...(mimeType !== undefined && { mimeType }) };
  if (typeof read === "string") return { ...base, text: read };
  if (isContents(read)) return { ...base, ...read };
  throw new TypeError(`reading ${truncate(uri)} gave ${typeOf(read)}; expected text, { text }, or { blob } in base64`);
}

/** The types say so; JavaScript authors do not read types. */
const isContents = (read: unknown): read is Exclude<Contents, string> => isObject(read) && typeof (read.text ?? read.blob) === "string";

export interface ListOptions {
  pageSize: number;
  /** How long the list may be kept when it is the same for all. */
  hints: Json;
}

/** `resources/list`: fixed resources first, then what the templates list, in one paged sequence. */
export async function listResources(
  all: Registry<ResourceDefinition>,
  params: Json,
  ctx: Context,
  { pageSize, hints }: ListOptions,
): Promise<Json> {
  const lists = await Promise.all(
    [...all].map(async (definition) => (definition.resource ? [definition.resource] : ((await definition.list?.(ctx)) ?? []))),
  );
  const { items, ...rest } = pageOf("resources", eachOnce(lists.flat(), all), ({ uri }) => uri, params.cursor, pageSize);
  // What templates list may be another list for each who asks.
  const own = [...all].some(({ list }) => list !== undefined);
  return { resources: items, ...rest, ...(own ? hintsOf({}, CONTENTS) : hints) };
}

/** A cursor names an address, so one that stands twice would lead back to its first place for ever. Who reads it describes it. */
function eachOnce(listed: readonly Resource[], all: Registry<ResourceDefinition>): readonly Resource[] {
  const byUri = new Map<string, Resource>();
  for (const item of listed) if (!byUri.has(item.uri)) byUri.set(item.uri, all.get(item.uri)?.resource ?? item);
  return byUri.size === listed.length ? listed : [...byUri.values()];
}

/** `resources/templates/list`. */
export function listTemplates(all: Registry<ResourceDefinition>, cursor: unknown, pageSize: number): Json {
  const templates = [...all].flatMap(({ template: listed }) => listed ?? []);
  const { items, ...rest } = pageOf("templates", templates, ({ uriTemplate: key }) => key, cursor, pageSize);
  return { resourceTemplates: items, ...rest };
}
