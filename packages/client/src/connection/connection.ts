// A connection on which client and server have yet to find out how they speak: the link, and who hears what comes over it.
import { findRevision, type Facts, type Json } from "@oarlock/server-kit/protocol";
import { answer, type Handlers } from "../client-requests/client-request-handlers.ts";
import type { Carrier } from "./transport.ts";
import type { ConnectOptions, LogEntry } from "../options.ts";
import { asError, Closed } from "../errors.ts";
import { Link } from "./json-rpc-peer.ts";

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_TOTAL_MS = 600_000;

export class Meeting {
  readonly wire: Carrier;
  readonly link: Link;
  readonly options: ConnectOptions;
  /** Its roots change with `setRoots`. */
  readonly handlers: Handlers;
  /** Settles when the connection has ended. */
  readonly closed: Promise<Error>;
  /** Aborted when the connection has ended. */
  readonly gone: AbortSignal;
  readonly timeoutMs: number;
  readonly maxTotalMs: number;
  /** What the revision that is spoken can do. */
  facts: Facts;
  /** The era hears each notification first. */
  heard: (method: string, params: Json) => void = () => undefined;

  constructor(wire: Carrier, revision: string, options: ConnectOptions) {
    const closed = Promise.withResolvers<Error>();
    const gone = new AbortController();
    this.wire = wire;
    this.options = options;
    this.handlers = { ...options };
    this.closed = closed.promise;
    this.gone = gone.signal;
    this.timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.maxTotalMs = options.maxTotalMs ?? DEFAULT_TOTAL_MS;
    this.facts = factsOf(revision);
    this.link = new Link(wire, {
      timeoutMs: this.timeoutMs,
      maxTotalMs: this.maxTotalMs,
      answer: (method, params, signal) => answer(this.handlers, this.facts, method, params, signal),
      notified: (method, params) => this.#notified(method, params),
      closed: (reason) => {
        gone.abort(reason);
        closed.resolve(reason);
      },
      onWire: options.onWire,
      onFault: options.onFault,
    });
  }

  #notified(method: string, params: Json): void {
    this.heard(method, params);
    if (method === "notifications/message") this.options.onLog?.(params as unknown as LogEntry); // the server's word
    this.options.onNotification?.(method, params);
  }

  /** Ends a connection that has come to nothing, and gives why. */
  async fail(error: unknown): Promise<Error> {
    await this.link.close("The handshake failed");
    return error instanceof Closed ? error : asError(error);
  }

  /** Asks for a sign of life this often, and closes the connection when there is none. */
  keepAlive(ping: (timeoutMs: number) => Promise<void>): void {
    const { pingEveryMs, onFault } = this.options;
    if (pingEveryMs === undefined) return;
    const timer = setTimeout(() => {
      ping(pingEveryMs).then(
        () => this.link.ended ?? this.keepAlive(ping),
        (error: unknown) => {
          if (this.link.ended !== undefined) return;
          onFault?.(`ping: ${asError(error).message}`);
          return this.link.close("The server does not answer pings");
        },
      );
    }, pingEveryMs);
    timer.unref();
  }
}

export function factsOf(revision: string): Facts {
  const facts = findRevision(revision)?.facts;
  if (facts === undefined) throw new TypeError(`No such revision: ${revision}`);
  return facts;
}
