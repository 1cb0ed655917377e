// The port for limits of each caller: who sends a request, and what it uses. The kit calls it and sets no limit itself.

/** The bytes that request bodies may take. */
export interface ByteBudget {
  /** False when there is no room. */
  take(bytes: number): boolean;
  release(bytes: number): void;
}

/** One caller with all its sessions: a principal, or an address. */
export interface Caller {
  /** Its rate of tool calls is counted by this name, and observers get it. Clients never do. */
  readonly name: string;
  /** Bounds its request bodies of more than 16 KiB while they arrive. */
  readonly bodies: ByteBudget;
  /**
   * Throw an HttpError where the caller has as many as it may: requests without an answer, sessions on this node, their event streams, and
   * the resources that it watches here.
   */
  checkRequests(): void;
  checkSessions(open: number): void;
  checkStreams(open: number): void;
  checkSubscriptions(open: number): void;
  /** A request is not answered in the same turn. Its client may disconnect before it ends. */
  requestStarted(): void;
  requestEnded(): void;
}

/** Finds the caller of a request. `principal`: of its token. `address`: of its connection. */
export type Callers = (principal: string | undefined, address: string | undefined) => Caller;
