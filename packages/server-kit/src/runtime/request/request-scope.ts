// The scope that a request runs in: its connection, or in the stateless era the request itself.
import type { Peer } from "../../peer/peer.ts";
import type { TraceContext } from "../../protocol/trace.ts";
import type { LogLevel } from "../../protocol/types.ts";
import type { RequestAborted } from "./abort.ts";
import type { Runtime } from "../runtime.ts";
import { TokenBucket } from "../token-bucket.ts";
import type { UsedConfirmations } from "./used-confirmations.ts";

export interface RequestScope {
  readonly peer: Peer;
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal;
  readonly loggerName: string;
  /** Client requests that one request may send. */
  readonly maxClientRequests: number;
  /** Names the session beyond this process; undefined where only this one serves it. */
  readonly sessionKey?: string | undefined;
  /** Where the client carries the answers of its user (stateless era). */
  readonly usedConfirmations?: UsedConfirmations | undefined;
  /** Takes one log entry from the rate limit; false when the limit is reached. */
  canLog(): boolean;
  /** Writes to the operator's log. */
  log(level: LogLevel, data: unknown, trace?: TraceContext): void;
  /** Sends a message that belongs to no request (handshake era). */
  notify?(text: string): void;
}

/** The scope of the requests of one session. */
export class ConnectionScope implements RequestScope {
  readonly loggerName: string;
  readonly maxClientRequests: number;
  readonly log: (level: LogLevel, data: unknown, trace?: TraceContext) => void;
  readonly notify: (text: string) => void;
  readonly sessionKey: string | undefined;
  /** Set by `initialize`, before the first context is made. */
  session: Peer | undefined;
  readonly #logs: TokenBucket;
  #controller: AbortController | undefined;
  #reason: RequestAborted | undefined;

  constructor({ server, limits, log }: Runtime, notify: (text: string) => void, sessionKey?: string) {
    this.notify = notify;
    this.sessionKey = sessionKey;
    this.loggerName = server.info.name;
    this.maxClientRequests = limits.clientRequests;
    this.log = log;
    this.#logs = new TokenBucket(limits.logsPerSecond);
  }

  get peer(): Peer {
    if (this.session === undefined) throw new Error("A request context was used before the handshake.");
    return this.session;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  canLog(): boolean {
    return this.#logs.take();
  }

  close(reason: RequestAborted): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

interface StatelessScopeOptions {
  readonly runtime: Runtime;
  signal(): AbortSignal;
  /** The rate limit of the whole pipe. Default: each request has its own. `"none"`: the request cannot log. */
  readonly logs: TokenBucket | "none" | undefined;
}

/** A class: an object literal with a getter would get a hidden class of its own for each request, a quarter of the CPU of a call. */
export class StatelessScope implements RequestScope {
  readonly peer: Peer;
  readonly #options: StatelessScopeOptions;
  #logs: TokenBucket | "none" | undefined;

  constructor(peer: Peer, options: StatelessScopeOptions) {
    this.peer = peer;
    this.#options = options;
    this.#logs = options.logs;
  }

  get loggerName(): string {
    return this.#options.runtime.server.info.name;
  }

  get maxClientRequests(): number {
    return this.#options.runtime.limits.clientRequests;
  }

  get signal(): AbortSignal {
    return this.#options.signal();
  }

  get usedConfirmations(): UsedConfirmations {
    return this.#options.runtime.usedConfirmations;
  }

  canLog(): boolean {
    if (this.#logs === "none") return false;
    this.#logs ??= new TokenBucket(this.#options.runtime.limits.logsPerSecond);
    return this.#logs.take();
  }

  log(level: LogLevel, data: unknown, trace?: TraceContext): void {
    this.#options.runtime.log(level, data, trace);
  }
}
