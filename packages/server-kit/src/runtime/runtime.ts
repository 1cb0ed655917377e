// Runtime: what all connections and requests of one running server share.
import { fireAndForget } from "../features/awaitable.ts";
import type { Client } from "../features/context.ts";
import { describeError, type Report } from "../protocol/errors.ts";
import type { Auth } from "../protocol/auth.ts";
import type { TraceContext } from "../protocol/trace.ts";
import type { LogLevel } from "../protocol/types.ts";
import type { Sealing } from "../peer/request-state.ts";
import type { Peer } from "../peer/peer.ts";
import type { Session } from "../peer/session.ts";
import { Sealer } from "../peer/sealer.ts";
import type { Revision } from "../revisions/index.ts";
import type { Id, Json } from "../wire/json-rpc.ts";
import type { IncomingMessage } from "./classify.ts";
import { DeadlineClock } from "./deadline-clock.ts";
import type { Server } from "./define.ts";
import type { Feature } from "./feature.ts";
import type { Extension, ExtensionHost } from "./extension/extension.ts";
import { ExtensionTable, type RevisionTable } from "./extension/extension-table.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import type { Observation, ObservedRequest, Observer } from "./request/observer.ts";
import { failedOutcome, outcomeOf } from "./request/outcome.ts";
import type { ListHandler } from "./request/request-handler.ts";
import { ResourceWatches } from "./watch/resource-watches.ts";
import type { Services } from "./services.ts";
import { MemoryConfirmations, type UsedConfirmations } from "./request/used-confirmations.ts";

/** How a server is run, on any transport: its limits, its log, the keys that seal request state. */
export interface RuntimeOptions {
  limits?: Partial<Limits>;
  /**
   * The operator's log (stderr): all that handlers log, and errors of which clients only see a reference; `trace` where the request has one.
   * At level debug also the start of each request with a trace context.
   */
  log?(level: LogLevel, data: unknown, trace?: TraceContext): void;
  /**
   * Secrets that seal the state which clients carry between the rounds of a request (newest revision), each of at least 16 characters: the
   * first seals, all of them open. Needed when several processes serve the same clients. Default: a random one.
   */
  stateKeys?: readonly string[];
  /** Observes requests, for telemetry. It must not throw. Default: none, which costs one comparison a request. */
  observer?: Observer;
  /** Extensions besides those of the server's definition; one with the same id replaces that of the definition. */
  extensions?: readonly Extension[];
}

/** The client that requests a list. */
export type ListReader = Pick<Peer, "revision" | "client">;

/** What an observer gets of a request. */
interface Observable {
  readonly id: Id;
  readonly method: string;
  readonly revision: Revision;
  readonly auth?: Auth | undefined;
  readonly client?: Client;
}

/** A connection, as far as the runtime needs it. */
interface OpenConnection {
  listChanged(feature: Feature): void;
  close(): void;
}

/** How long a client may take for one round. */
const STATE_MS = 15 * 60_000;

const FEATURES: readonly Feature[] = ["tools", "resources", "prompts"];

const runningServers = new WeakSet<Server>();

/** One running server. */
export class Runtime {
  readonly server: Server;
  readonly limits: Readonly<Limits>;
  readonly log: (level: LogLevel, data: unknown, trace?: TraceContext) => void;
  readonly report: Report;
  readonly sealing: Sealing;
  readonly usedConfirmations: UsedConfirmations;
  readonly deadlines = new DeadlineClock();
  readonly connections = new Set<OpenConnection>();
  readonly watches: ResourceWatches;
  /** What the transport provides in place of defaults. */
  readonly services: Services;
  /** The ids of the extensions that a revision has. */
  readonly extensionIds = (revision: Revision): ReadonlySet<string> => this.table(revision).extensionIds;
  readonly #observer: Observer | undefined;
  readonly #transport: ObservedRequest["transport"];
  readonly #extensions: ExtensionTable;
  readonly #listChangeListeners = new Set<(feature: Feature) => void>();
  /** Lists whose change was notified in this turn. */
  readonly #notified = new Set<Feature>();
  readonly #listTexts = new Map<string, Map<ListHandler, { version: number; text: string }>>();
  readonly #stopListening: (() => void)[];

  /** Throws when the server is running already: each runtime needs a definition of its own. */
  constructor(server: Server, options: RuntimeOptions = {}, services: Services = {}, transport: ObservedRequest["transport"] = "pipe") {
    if (runningServers.has(server)) throw new Error("This server is being served already: define another one.");
    runningServers.add(server);
    this.server = server;
    this.services = services;
    Object.freeze(server.middleware);
    this.watches = new ResourceWatches(server.resources, services, (uri, ctx) => this.#extensions.middleware?.checkResource(uri, ctx));
    this.#transport = transport;
    this.#observer = options.observer;
    this.limits = { ...DEFAULT_LIMITS, ...server.spec.limits, ...options.limits };
    // A log that fails must not stop the server.
    this.log = (level, data, trace) => fireAndForget(() => options.log?.(level, data, ...(trace === undefined ? [] : [trace])));
    this.report = this.reportFor(undefined);
    this.#extensions = new ExtensionTable(server, [...(server.spec.extensions ?? []), ...(options.extensions ?? [])], this.#host());
    this.sealing = { sealer: new Sealer(options.stateKeys), stateMs: STATE_MS };
    this.usedConfirmations = services.usedConfirmations?.(STATE_MS) ?? new MemoryConfirmations(STATE_MS);
    this.#stopListening = FEATURES.map((feature) => server[feature].onChange(() => this.#listChanged(feature)));
  }

  /** Reports errors of a request with this trace context. */
  reportFor(trace: TraceContext | undefined): Report {
    return (reference, error) => this.log("error", `ref ${reference}: ${describeError(error)}`, trace);
  }

  /** Begins to observe a request; undefined where no observer is set. */
  observe({ id, method, revision, auth, client }: Observable, params: Json | undefined): Observation | undefined {
    if (this.#observer === undefined) return undefined;
    const transport = this.#transport;
    const target = this.#targetOf(method, params?.name);
    const caller = { principal: auth?.principal, client: client?.name };
    return this.#observer.requestStarted({ id, method, target, meta: params?._meta, params, ...caller, revision: revision.id, transport });
  }

  /** Begins to observe a session and the requests to its client. */
  observeSession(session: Session): void {
    const observer = this.#observer;
    if (observer === undefined) return;
    const about = { revision: session.revision.id, transport: this.#transport };
    session.requests.observe = (id, method) => observer.clientRequestStarted?.({ id, method, ...about });
    const observation = observer.sessionStarted?.(about);
    session.onEnd = () => observation?.ended();
  }

  #targetOf(method: string, name: unknown): string | undefined {
    if (typeof name !== "string") return undefined;
    if (method === "tools/call") return this.server.tools.get(name) && name;
    return method === "prompts/get" ? this.server.prompts.get(name) && name : undefined;
  }

  #host(): ExtensionHost {
    const { server, limits, log, services } = this;
    const { info, tools, resources, prompts } = server;
    return {
      info,
      tools,
      resources,
      prompts,
      limits,
      log,
      provided: (id) => services.forExtension?.(id),
      outcomeOf: (request, returned) => outcomeOf(this, request, returned),
      failedOutcome: (request, error) => failedOutcome(this, request, error),
    };
  }

  /** Notifies of the first of the changes of one turn: a client that lists again sees all of them. */
  #listChanged(feature: Feature): void {
    if (this.#notified.has(feature)) return;
    this.#notified.add(feature);
    queueMicrotask(() => this.#notified.delete(feature));
    for (const connection of this.connections) connection.listChanged(feature);
    for (const listener of this.#listChangeListeners) listener(feature);
  }

  /** Calls back when a list has changed, until the returned function is called. */
  onListChange(listener: (feature: Feature) => void): () => void {
    this.#listChangeListeners.add(listener);
    return () => this.#listChangeListeners.delete(listener);
  }

  /** What a revision has: capabilities, handlers, and the parts of extensions. */
  table(revision: Revision): RevisionTable {
    return this.#extensions.of(revision);
  }

  /** Whether a request concerns work of an extension that may change something; undefined where no extension decides it. */
  mayChange(message: IncomingMessage, principal: string): Promise<boolean> | undefined {
    if (message.kind !== "request") return undefined;
    return this.#extensions.mayChange(message.value.method, message.value.params ?? {}, principal);
  }

  /**
   * A result in the shape of a revision, with the members that every result of that revision has. `client`: who gets it, where extensions
   * may change a list for it.
   */
  encodeResult(revision: Revision, method: string, result: Json, client?: Client): Json {
    const encoded = this.stamp(revision, revision.encodeResult(method, result));
    const change = client === undefined ? undefined : this.table(revision).lists.get(method);
    return client === undefined || change === undefined ? encoded : change(encoded, client);
  }

  /** Adds the members that every result of a revision has. */
  stamp(revision: Revision, result: Json): Json {
    return revision.stamp === undefined ? result : revision.stamp(result, this.server.info);
  }

  /** One page of a list as text. The first page is kept per revision and variant until the list changes: 1 µs instead of 6 to 220 µs. */
  listText({ revision, client }: ListReader, method: string, handler: ListHandler, cursor: unknown): string {
    const { listVariant } = this.table(revision);
    const encode = (): string => JSON.stringify(this.encodeResult(revision, method, { ...handler.list(cursor) }, client));
    if (cursor !== undefined && cursor !== null) return encode();
    const version = handler.version();
    const variant = `${revision.id} ${listVariant(client)}`;
    const texts = this.#listTexts.get(variant) ?? new Map<ListHandler, { version: number; text: string }>();
    const kept = texts.get(handler);
    if (kept?.version === version) return kept.text;
    const text = encode();
    this.#listTexts.set(variant, texts.set(handler, { version, text }));
    return text;
  }

  /** Awaits work that goes on after its request, but not longer than `maxMs`. */
  async settle(maxMs: number): Promise<void> {
    await this.#extensions.settle(maxMs);
  }

  /** Closes all connections and the server. */
  async close(): Promise<void> {
    for (const connection of [...this.connections]) connection.close();
    this.deadlines.stop();
    for (const stop of this.#stopListening) stop();
    runningServers.delete(this.server);
    await this.#extensions.close();
    await this.server.close();
  }
}
