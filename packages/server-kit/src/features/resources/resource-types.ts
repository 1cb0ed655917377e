// Resources and templates: what authors write and what the kit makes of it.
// https://modelcontextprotocol.io/specification/2026-07-28/server/resources
import type { Annotations, Icon, Meta, Resource, ResourceTemplate } from "../../protocol/types.ts";
import type { Json } from "../../wire/json-rpc.ts";
import type { Awaitable } from "../awaitable.ts";
import type { Cache } from "../cache.ts";
import type { Completer, Context, InteractiveContext } from "../context.ts";

/** Contents of a resource: text, or bytes, which `blob` may hold in base64 too. */
export type Contents =
  | string
  | Uint8Array
  | { text: string; mimeType?: string; uri?: string; _meta?: Meta }
  | { blob: string | Uint8Array; mimeType?: string; uri?: string; _meta?: Meta };

/** What `read` returns; undefined when the resource does not exist. */
export type ReadReturn = Contents | Contents[] | undefined;

/** Ends a watch; may return a promise. */
export type StopWatching = () => void;

export interface ResourceDescription {
  name: string;
  /** How long clients may keep the contents (newest revision). Default: not at all. */
  cache?: Cache;
  title?: string;
  description?: string;
  mimeType?: string;
  annotations?: Annotations;
  icons?: Icon[];
  meta?: Meta;
}

/** One resource as its author writes it. `S`: what its `subscribe` returns. */
export interface ResourceSpec<S = undefined> extends ResourceDescription {
  uri: string;
  /** Size of the contents in bytes. */
  size?: number;
  read(ctx: InteractiveContext, uri: string): Awaitable<ReadReturn>;
  /**
   * Called for each client that subscribes: throws when it may not read the resource. Returns what is watched for it, such as the folder of
   * the user; clients with the same value share a watch. Default: every client may subscribe, and all share one watch.
   */
  subscribe?(ctx: Context, uri: string): Awaitable<S>;
  /**
   * Calls `changed` at each change until stopped. Starts with the first client that subscribes, and stops after the last has left. `source`:
   * what `subscribe` has returned. Without it the resource cannot be subscribed to.
   */
  watch?(changed: () => void, uri: string, source: S): Awaitable<StopWatching>;
  /**
   * Whether `watch` notices changes by other processes too, as a watch of a file does. Default false: where several processes serve the server,
   * each watches what a client of any of them has subscribed to, and notifies the others: by the address alone. So set it for a resource that
   * holds something else for each user, or users of other processes learn that it changed.
   */
  noticesOtherProcesses?: boolean;
}

/** A family of resources as its author writes it. `S`: what its `subscribe` returns. */
export interface TemplateSpec<V extends string, S = undefined> extends Omit<ResourceDescription, "cache"> {
  /** Fixed, or chosen by the variables: contents that are named by their hash never change. */
  cache?: Cache | ((variables: Record<V, string>) => Cache);
  /** A URI template such as `file:///{+path}`: `{name}` matches one segment, `{+name}` any characters. */
  uri: string;
  /** Resources of this template that `resources/list` shows. */
  list?(ctx: Context): Awaitable<readonly Resource[]>;
  /** Matches an address in another way than the template does. Undefined when the address does not belong to this template. */
  match?(uri: string): Record<V, string> | undefined;
  complete?: Partial<Record<V, Completer>>;
  read(variables: Record<V, string>, ctx: InteractiveContext, uri: string): Awaitable<ReadReturn>;
  /** As in {@link ResourceSpec}. */
  subscribe?(variables: Record<V, string>, ctx: Context, uri: string): Awaitable<S>;
  /** As in {@link ResourceSpec}, for each address. */
  watch?(variables: Record<V, string>, changed: () => void, uri: string, source: S): Awaitable<StopWatching>;
  /** As in {@link ResourceSpec}. */
  noticesOtherProcesses?: boolean;
}

/** A resource or a template, ready to be put into a server. */
export interface ResourceDefinition {
  /** The address, or the template's text: unique in the server. */
  readonly key: string;
  readonly template?: ResourceTemplate;
  readonly resource?: Resource;
  /** True when clients may subscribe. */
  readonly watchable: boolean;
  /** True when a watch notices changes by other processes too. */
  readonly noticesOtherProcesses?: boolean;
  /** The cache members of a read result. */
  hints(variables: Record<string, string>): Json;
  readonly complete: Readonly<Record<string, Completer | undefined>>;
  list?(ctx: Context): Awaitable<readonly Resource[]>;
  /** The variables, when this definition serves the address. */
  match(uri: string): Record<string, string> | undefined;
  read(variables: Record<string, string>, ctx: InteractiveContext, uri: string): Awaitable<ReadReturn>;
  /** Throws when the client may not watch the resource. Returns what is watched for it: `source`. */
  subscribe(variables: Record<string, string>, ctx: Context, uri: string): Awaitable<unknown>;
  watch(variables: Record<string, string>, changed: () => void, uri: string, source: unknown): Awaitable<StopWatching>;
}
