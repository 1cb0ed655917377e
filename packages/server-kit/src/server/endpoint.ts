// One running server: its method table, its connections, and the clock for time limits.
import type { Sealing } from "../requests/request-state.ts";
import { Sealer } from "../requests/sealer.ts";
import type { LogLevel } from "../protocol/types.ts";
import type { Revision } from "../revisions/index.ts";
import { fireAndForget } from "../features/after.ts";
import { severity } from "../features/logging.ts";
import { describeError, type Report } from "../protocol/errors.ts";
import type { Channel } from "./channel.ts";
import { Connection } from "./connection.ts";
import type { RequestContext } from "./context.ts";
import { Roster } from "./roster.ts";
import type { Server } from "./define.ts";
import { requestHandlers, type ListHandler, type RequestHandler } from "./dispatch.ts";
import type { Feature } from "./subscription-stream.ts";
import type { Runner } from "./runner.ts";
import { encodeResult } from "./encode-result.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";

/** How a server is run, whatever carries it: bounds, its log, keys that seal what clients carry. */
export interface RuntimeOptions {
  limits?: Partial<Limits>;
  /** Our own log (stderr): everything that handlers log, and errors that clients only see as a reference. */
  log?(level: LogLevel, data: unknown): void;
  /**
   * Secrets that seal what clients carry between the rounds of a request (newest era), each at least 16 characters: the
   * first seals, all of them open. Needed where several processes serve the same clients. Default: a random one.
   */
  stateKeys?: readonly string[];
  /** How long a client may take for one round, in milliseconds. Default 900,000 (15 minutes). */
  stateMs?: number;
}

/** How often time limits are looked at; a limit may be overrun by this much. */
const CLOCK_MS = 250;

const served = new WeakSet<Server>();

export class Runtime {
  readonly server: Server;
  readonly limits: Readonly<Limits>;
  readonly handlers: ReadonlyMap<string, RequestHandler>;
  readonly report: Report;
  /** What a client gets before it sets a level. */
  readonly logFrom = severity("info");
  readonly log: (level: LogLevel, data: unknown) => void;
  /** How what clients carry between the rounds of a request is sealed. */
  readonly sealing: Sealing;
  /** Whose requests the clock looks at, beside those of connections. */
  readonly clocked = new Set<Runner>();
  readonly #connections = new Roster<Connection>();
  readonly #listeners = new Set<(feature: Feature) => void>();
  readonly #lists = new Map<Revision, Map<ListHandler, { version: number; text: string }>>();
  readonly #unlisten: (() => void)[];
  #clock: ReturnType<typeof setInterval> | undefined;

  /** Throws when the server is served already: each endpoint has a definition of its own. */
  constructor(server: Server, options: RuntimeOptions = {}) {
    if (served.has(server)) throw new Error("This server is being served already; define another one");
    served.add(server);
    this.server = server;
    this.limits = { ...DEFAULT_LIMITS, ...server.spec.limits, ...options.limits };
    // A log that cannot write is no reason to stop serving.
    this.log = (level, data) => fireAndForget(() => options.log?.(level, data));
    this.report = (reference, error) => this.log("error", `ref ${reference}: ${describeError(error)}`);
    this.handlers = requestHandlers(server, this.report);
    const { stateMs = 900_000, stateKeys } = options;
    this.sealing = { sealer: new Sealer(stateKeys), stateMs };
    const news = (feature: Feature) =>
      server[feature].onChange(() => {
        for (const connection of this.#connections) connection.listChanged(feature);
        for (const listener of this.#listeners) listener(feature);
      });
    this.#unlisten = [news("tools"), news("resources"), news("prompts")];
  }

  /** A new client; `standing` carries what belongs to no request. */
  connect(standing: Channel): Connection {
    const connection = new Connection(this, standing);
    this.#connections.add(connection);
    return connection;
  }

  forget(connection: Connection): void {
    this.#connections.delete(connection);
  }

  /** Tells of changed lists, until the function that it gives is called. */
  onListChange(listener: (feature: Feature) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The first page of a list as text, kept until the list changes. */
  listText(method: string, row: ListHandler, revision: Revision): string {
    const version = row.version();
    const texts = this.#lists.get(revision);
    const kept = texts?.get(row);
    if (kept !== undefined && kept.version === version) return kept.text;
    const text = JSON.stringify(encodeResult(this.server, revision, method, { ...row.list(undefined) }));
    this.#lists.set(revision, (texts ?? new Map<ListHandler, { version: number; text: string }>()).set(row, { version, text }));
    return text;
  }

  /** The time limit of a request begins. One coarse clock serves all requests. */
  startClock(ctx: RequestContext): void {
    ctx.deadline = performance.now() + this.limits.timeoutMs;
    this.#clock ??= setInterval(() => {
      const now = performance.now();
      let busy = false;
      for (const connection of this.#connections) {
        connection.expire(now);
        busy ||= connection.running > 0;
      }
      for (const runner of this.clocked) {
        runner.expire(now);
        busy ||= runner.size > 0;
      }
      if (!busy) this.#stopClock();
    }, CLOCK_MS);
  }

  #stopClock(): void {
    clearInterval(this.#clock);
    this.#clock = undefined;
  }

  /** Ends all connections and the server. */
  async close(): Promise<void> {
    for (const connection of [...this.#connections]) connection.close();
    this.#stopClock();
    for (const unlisten of this.#unlisten) unlisten();
    served.delete(this.server);
    await this.server.close();
  }
}
