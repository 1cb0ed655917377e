// What stands behind the context of a request that speaks for itself. A class, as an object with a getter of its own would get a
// shape of its own each time, which outlives the request.
import type { Peer } from "../peer/peer.ts";
import type { LogLevel } from "../protocol/types.ts";
import type { RequestScope } from "./context.ts";
import type { Runtime } from "./endpoint.ts";
import { TokenBucket } from "./limits.ts";

interface Around {
  endpoint: Runtime;
  signal(): AbortSignal;
  announcesEnd: boolean;
}

export class StatelessScope implements RequestScope {
  readonly peer: Peer;
  readonly #around: Around;
  readonly #mute: boolean;
  #logs: TokenBucket | undefined;

  /** `logs` counts the log entries of all requests of a pipe; without it the context cannot log. */
  constructor(around: Around, peer: Peer, logs?: TokenBucket) {
    this.#around = around;
    this.peer = peer;
    this.#mute = logs === undefined;
    // On a pipe there is one client to count for, else each request counts for itself.
    this.#logs = around.announcesEnd ? logs : undefined;
  }

  get loggerName(): string {
    return this.#around.endpoint.server.info.name;
  }

  get maxClientRequests(): number {
    return this.#around.endpoint.limits.clientRequests;
  }

  get signal(): AbortSignal {
    return this.#around.signal();
  }

  canLog(): boolean {
    return !this.#mute && (this.#logs ??= new TokenBucket(this.#around.endpoint.limits.logsPerSecond)).take();
  }

  logLocally(level: LogLevel, data: unknown): void {
    this.#around.endpoint.log(level, data);
  }
}
