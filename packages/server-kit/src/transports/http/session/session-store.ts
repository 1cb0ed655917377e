// Sessions over HTTP (handshake era): made by us, unguessable, bound to whoever opened them, counted, and ended when idle.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
import type { Connection } from "../../../server/connection.ts";
import type { Runtime } from "../../../server/endpoint.ts";
import { Roster } from "../../../server/roster.ts";
import { errorText } from "../../../wire/json-rpc.ts";
import type { HttpLimits } from "../http-limits.ts";
import { Budget, Streams } from "./session-streams.ts";

export interface HttpSession {
  readonly id: string;
  /** Its place among all of them. */
  slot: number;
  readonly principal: string | undefined;
  readonly connection: Connection;
  readonly streams: Streams;
  /** When it was last used, by `performance.now()`. */
  seen: number;
}

export class Sessions {
  readonly #endpoint: Runtime;
  readonly #limits: Readonly<HttpLimits>;
  readonly #budget: Budget;
  readonly #all = new Roster<HttpSession>();
  /** Places by id, emptied when their session ends; see Roster for why. */
  readonly #places = new Map<string, { session: HttpSession | undefined }>();

  constructor(endpoint: Runtime, limits: Readonly<HttpLimits>) {
    this.#endpoint = endpoint;
    this.#limits = limits;
    this.#budget = new Budget(limits.allEventBytes);
  }

  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): IterableIterator<HttpSession> {
    return this.#all[Symbol.iterator]();
  }

  get full(): boolean {
    return this.#all.size >= this.#limits.sessions;
  }

  /** A session that nobody knows of yet: `keep` makes it one that can be found. */
  make(principal: string | undefined): HttpSession {
    const streams = new Streams(this.#limits, this.#budget);
    const tell = (text: string): void => streams.add(streams.standing, text);
    const connection = this.#endpoint.connect({
      get open() {
        return streams.standing.open;
      },
      notify: tell,
      complete: (text) => text !== undefined && tell(text),
      refuse: (error) => tell(errorText(null, error)),
    });
    return { id: randomId(), slot: -1, principal, connection, streams, seen: performance.now() };
  }

  keep(session: HttpSession): void {
    this.#all.add(session);
    this.#places.set(session.id, { session });
  }

  /** Somebody else's session is one that does not exist. */
  find(id: string, principal: string | undefined): HttpSession | undefined {
    const session = this.#places.get(id)?.session;
    if (session === undefined || session.principal !== principal) return undefined;
    session.seen = performance.now();
    return session;
  }

  /** Ends a session and all its work. */
  end(session: HttpSession): void {
    const place = this.#places.get(session.id);
    if (place === undefined) return;
    this.#places.delete(session.id);
    place.session = undefined;
    this.#all.delete(session);
    session.connection.close("closed");
    session.streams.close();
  }

  /** Ends what has been idle for too long. */
  sweep(now: number): void {
    const { idleMs, unreadyMs } = this.#limits;
    for (const session of [...this.#all]) {
      const { connection, streams } = session;
      if (connection.running > 0 || streams.reading > 0) session.seen = now;
      else if (now - session.seen >= (connection.ready ? idleMs : unreadyMs)) this.end(session);
    }
  }
}

/** 192 random bits, in letters that any header may hold. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
