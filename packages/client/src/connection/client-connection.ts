// A connection to a server: its JSON-RPC peer, and the state that negotiation and both eras share.
import { findRevision, type ClientCapabilities, type Facts, type Json } from "@oarlock/server-kit/protocol";
import { answerClientRequest, capabilitiesOf, type Handlers } from "../client-requests/client-request-handlers.ts";
import { asError, ConnectionClosedError } from "../errors.ts";
import type { ConnectOptions, LogEntry } from "../options.ts";
import { JsonRpcPeer } from "./json-rpc-peer.ts";
import type { SentRequest } from "./observer.ts";
import type { Transport } from "./transport.ts";

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_MAX_TOTAL_MS = 600_000;

export class ClientConnection {
  readonly transport: Transport;
  readonly peer: JsonRpcPeer;
  readonly options: ConnectOptions;
  /** A copy of the handlers among the options: `client.setRoots` replaces the roots. */
  readonly handlers: Handlers;
  /** Resolves with the reason when the connection has closed. */
  readonly closed: Promise<Error>;
  /** Aborted when the connection has closed. */
  readonly closedSignal: AbortSignal;
  readonly timeoutMs: number;
  readonly maxTotalMs: number;
  /** The features of the revision in use. */
  facts: Facts;
  #revision: string;
  /** Called with each notification before the callbacks of the options. Set by the era. */
  onNotification: (method: string, params: Json) => void = () => undefined;

  constructor(transport: Transport, revision: string, options: ConnectOptions) {
    const closed = Promise.withResolvers<Error>();
    const closing = new AbortController();
    this.transport = transport;
    this.options = options;
    this.handlers = { ...options };
    this.closed = closed.promise;
    this.closedSignal = closing.signal;
    this.timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.maxTotalMs = options.maxTotalMs ?? DEFAULT_MAX_TOTAL_MS;
    this.#revision = revision;
    this.facts = factsOf(revision);
    this.peer = new JsonRpcPeer(transport, {
      timeoutMs: this.timeoutMs,
      maxTotalMs: this.maxTotalMs,
      answer: (method, params, signal) => answerClientRequest(this.handlers, this.facts, method, params, signal),
      onNotification: (method, params) => this.#dispatchNotification(method, params),
      onClose: (reason) => {
        closing.abort(reason);
        closed.resolve(reason);
      },
      trace: options.trace,
      observe: options.observer && ((request) => options.observer?.requestStarted({ ...request, ...this.#wire() })),
      onWire: options.onWire,
      onFault: options.onFault,
    });
  }

  /** The capabilities to declare in the revision in use. */
  get capabilities(): ClientCapabilities {
    return { ...this.options.capabilities, ...capabilitiesOf(this.handlers, this.facts) };
  }

  #wire(): Pick<SentRequest, "revision" | "transport"> {
    return { revision: this.#revision, transport: this.transport.network ?? "pipe" };
  }

  useRevision(revision: string): void {
    this.#revision = revision;
    this.facts = factsOf(revision);
  }

  #dispatchNotification(method: string, params: Json): void {
    this.onNotification(method, params);
    if (method === "notifications/message") this.options.onLog?.(params as unknown as LogEntry); // not validated
    this.options.onNotification?.(method, params);
  }

  /** Runs `body`, and closes the connection if it fails. */
  async closeOnFailure<T>(body: () => Promise<T>): Promise<T> {
    try {
      return await body();
    } catch (error) {
      await this.peer.close("Connecting failed");
      throw error instanceof ConnectionClosedError ? error : asError(error);
    }
  }

  /** Sends a ping every `pingEveryMs` milliseconds, and closes the connection when a ping fails. */
  startKeepAlive(ping: (timeoutMs: number) => Promise<void>): void {
    const { pingEveryMs } = this.options;
    if (pingEveryMs === undefined) return;
    setTimeout(() => void this.#keepAlive(ping, pingEveryMs), pingEveryMs).unref();
  }

  async #keepAlive(ping: (timeoutMs: number) => Promise<void>, timeoutMs: number): Promise<void> {
    try {
      await ping(timeoutMs);
      if (!this.peer.isClosed) this.startKeepAlive(ping);
    } catch (error) {
      if (this.peer.isClosed) return;
      this.options.onFault?.(`Ping failed: ${asError(error).message}`);
      await this.peer.close("The server does not answer pings");
    }
  }
}

function factsOf(revision: string): Facts {
  const facts = findRevision(revision)?.facts;
  if (facts === undefined) throw new TypeError(`Unknown protocol revision: ${revision}`);
  return facts;
}
