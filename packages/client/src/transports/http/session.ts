// The session that the server keeps for us, and how a new one is made when it has forgotten it.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
import { BadAnswer, Interrupted } from "../../errors.ts";

export interface Session {
  /** Left out by servers that keep none. A secret. */
  readonly id: string | undefined;
  /** Unknown until the handshake is through. */
  readonly revision?: string;
}

/** The first revision whose requests name it in a header. */
const VERSION_HEADER_SINCE = "2025-06-18";

/** What every request in the session carries. */
export function headersOf({ id, revision = "" }: Session): Record<string, string> {
  return {
    ...(id !== undefined && { "mcp-session-id": id }),
    ...(revision >= VERSION_HEADER_SINCE && { "mcp-protocol-version": revision }),
  };
}

/** The server does not know the session any more. */
export function isExpired(response: Response, { id }: Session): boolean {
  return response.status === 404 && id !== undefined;
}

const NONE: Session = { id: undefined };

export class Sessions {
  /** Shakes hands; resolves when the new session is as the old one was. */
  shakeHands: (() => Promise<void>) | undefined;
  #current = NONE;
  /** The answer to initialize told of it; it becomes current when the handshake is through. */
  #offered = NONE;
  #renewal: { lost: Session; done: Promise<void>; through: PromiseWithResolvers<void> } | undefined;

  get current(): Session {
    return this.#current;
  }

  /** The id to say goodbye with; of a handshake that failed, too. */
  get open(): Session {
    return this.#current === NONE ? this.#offered : this.#current;
  }

  /** Reads the answer to initialize. */
  offer(response: Response): Session {
    const id = response.headers.get("mcp-session-id") ?? undefined;
    if (id !== undefined && !/^[\x21-\x7e]+$/.test(id)) throw new BadAnswer("The server's session id is not of visible ASCII characters");
    return (this.#offered = { id });
  }

  agreed(revision: string): void {
    this.#current = { ...this.#offered, revision };
    this.#renewal?.through.resolve();
  }

  /**
   * A session in place of the one that was lost; all who ask meanwhile get the same. `hold` is told until when nothing else
   * may be said.
   */
  renew(lost: Session, hold: (through: Promise<void>) => void): Promise<void> {
    const { shakeHands } = this;
    // The new session can be lost while it is set up again: waiting for it there would never end.
    if (this.#renewal !== undefined && this.#renewal.lost !== lost) throw new Interrupted("The server forgets its sessions at once");
    if (this.#renewal !== undefined) return this.#renewal.done;
    if (lost !== this.#current || shakeHands === undefined) return Promise.resolve();
    const through = Promise.withResolvers<void>();
    const done = shakeHands().finally(() => {
      this.#renewal = undefined;
      through.resolve();
    });
    this.#renewal = { lost, done, through };
    hold(through.promise);
    return done;
  }
}
