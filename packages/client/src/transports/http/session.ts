// The session of Streamable HTTP, and its replacement after the server has forgotten it.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
import { InterruptedError, InvalidResponseError } from "../../errors.ts";
import { readStart } from "./response-body.ts";

export interface Session {
  /** Undefined for servers without session ids. A secret. */
  readonly id: string | undefined;
  /** Undefined before the handshake is complete. */
  readonly revision?: string;
}

/** The first revision whose requests carry it in a header. */
const VERSION_HEADER_SINCE = "2025-06-18";

/** The headers of every request in the session. */
export function sessionHeaders({ id, revision = "" }: Session): Record<string, string> {
  return {
    ...(id !== undefined && { "mcp-session-id": id }),
    ...(revision >= VERSION_HEADER_SINCE && { "mcp-protocol-version": revision }),
  };
}

/** Enough for the sentence of an error. */
const MAX_ERROR_BYTES = 4096;

/** How servers name a session that they do not know, in place of the status for it. */
const UNKNOWN_SESSION =
  /\b(no valid|unknown|invalid|expired) (mcp[- ])?session|\bsession( id)?\b[^.:]{0,80}\b(not found|unknown|invalid|expired|terminated|(does|did) not exist|no longer exists)\b/i;

/** Whether the server has forgotten the session: status 404, or 400 with a text about the session. Leaves the body to be read. */
export async function isExpired(response: Response, { id }: Session): Promise<boolean> {
  if (id === undefined || response.status !== 400) return id !== undefined && response.status === 404;
  return UNKNOWN_SESSION.test(await readStart(response.clone(), MAX_ERROR_BYTES));
}

const NO_SESSION: Session = { id: undefined };

interface Renewal {
  expired: Session;
  done: Promise<void>;
  handshake: PromiseWithResolvers<void>;
}

export class Sessions {
  /** Initializes a new session, and resolves when its state is restored. */
  initialize: (() => Promise<void>) | undefined;
  #current = NO_SESSION;
  /** The session in the response to `initialize`; becomes current when the handshake is complete. */
  #offered = NO_SESSION;
  #renewal: Renewal | undefined;

  get current(): Session {
    return this.#current;
  }

  /** The session to delete when closing, including one whose handshake failed. */
  get toDelete(): Session {
    return this.#current === NO_SESSION ? this.#offered : this.#current;
  }

  /** Reads the session id from the response to `initialize`. */
  readOffer(response: Response): Session {
    const id = response.headers.get("mcp-session-id") ?? undefined;
    if (id !== undefined && !/^[\x21-\x7e]+$/.test(id))
      throw new InvalidResponseError("Invalid session id: expected visible ASCII characters");
    return (this.#offered = { id });
  }

  completeHandshake(revision: string): void {
    this.#current = { ...this.#offered, revision };
    this.#renewal?.handshake.resolve();
  }

  /**
   * Replaces an expired session; concurrent callers share one renewal. Calls `onHandshake` with a promise that resolves when other
   * messages may be sent again.
   */
  async renew(expired: Session, onHandshake: (complete: Promise<void>) => void): Promise<void> {
    const { initialize } = this;
    // A new session can expire while its state is restored. Waiting for its own renewal would never end.
    if (this.#renewal !== undefined && this.#renewal.expired !== expired)
      throw new InterruptedError("The server has forgotten a new session immediately");
    if (this.#renewal !== undefined) return this.#renewal.done;
    if (expired !== this.#current || initialize === undefined) return;
    const handshake = Promise.withResolvers<void>();
    const done = initialize().finally(() => {
      this.#renewal = undefined;
      handshake.resolve();
    });
    this.#renewal = { expired, done, handshake };
    onHandshake(handshake.promise);
    return done;
  }
}
