// The client's roots for servers that limit each request to them.
// https://modelcontextprotocol.io/specification/2025-11-25/client/roots
import type { Client } from "../protocol/client.ts";
import { Suspended } from "../protocol/errors.ts";
import type { Root } from "../protocol/types.ts";
import { within } from "./awaitable.ts";
import type { InteractiveContext } from "./context.ts";

/** How {@link ClientRoots} waits for a client. */
export interface ClientRootsOptions {
  /** How long a client may take to answer `roots/list` before the request goes on without an answer, in milliseconds. Default 2,000. */
  timeoutMs?: number;
}

/**
 * Reads the client's roots within a time limit. A client that declared roots and does not answer is asked again only after it has
 * listed other roots, so that it does not delay every request. Use one instance for all requests of a server.
 */
export class ClientRoots {
  readonly #timeoutMs: number;
  /** Clients that did not answer, with the roots that were known at that moment. */
  readonly #unanswered = new WeakMap<Client, readonly Root[] | undefined>();

  constructor({ timeoutMs = 2000 }: ClientRootsOptions = {}) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * The roots that the client lists now, or the last known ones where it does not answer. Undefined when it has no roots or has never
   * named one: an editor without an open folder lists none. An empty list after a list with roots is `[]`. A failed request is written
   * to the client's log.
   */
  async current(ctx: InteractiveContext): Promise<readonly Root[] | undefined> {
    const { client } = ctx;
    if (!client.can("roots")) return undefined;
    const known = client.roots;
    if (this.#unanswered.has(client) && this.#unanswered.get(client) === known) return this.known(client);
    const roots = await this.#request(ctx);
    if (roots === undefined) this.#unanswered.set(client, client.roots);
    return client.hasNamedRoots ? (roots ?? client.roots) : undefined;
  }

  /** The same without a request to the client, for lists, completion and subscriptions. */
  known(client: Client): readonly Root[] | undefined {
    return client.hasNamedRoots ? client.roots : undefined;
  }

  async #request(ctx: InteractiveContext): Promise<readonly Root[] | undefined> {
    const answer = ctx.roots().catch((error: unknown) => {
      // In the stateless era the answer comes with the next round of this request, and nothing may be done before it.
      if (error instanceof Suspended) throw error;
      ctx.log.warning(`Roots not listed by the client: ${error instanceof Error ? error.message : "no reason given"}`);
      return undefined;
    });
    return within(this.#timeoutMs, answer);
  }
}
