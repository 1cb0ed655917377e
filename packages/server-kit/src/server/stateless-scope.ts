// What stands behind the context of a request that speaks for itself. A class, as an object with a getter of its own would get a
// shape of its own each time, which outlives the request.
import type { Peer } from "../peer/peer.ts";
import type { LogLevel } from "../protocol/types.ts";
import type { RequestScope } from "./context.ts";
import type { Endpoint } from "./endpoint.ts";
import { TokenBucket } from "./limits.ts";

interface Around {
  endpoint: Endpoint;
  signal(): AbortSignal;
  announces: boolean;
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
    this.#logs = around.announces ? logs : undefined;
  }

  get loggerName(): string {
    return this.#around.endpoint.server.info.name;
  }

  get questions(): number {
    return this.#around.endpoint.limits.questions;
  }

  get signal(): AbortSignal {
    return this.#around.signal();
  }

  mayLog(): boolean {
    return !this.#mute && (this.#logs ??= new TokenBucket(this.#around.endpoint.limits.logsPerSecond)).take();
  }

  mirror(level: LogLevel, data: unknown): void {
    this.#around.endpoint.log(level, data);
  }
}
