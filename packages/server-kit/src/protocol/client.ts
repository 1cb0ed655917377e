// Client: name, version and abilities of a client, for handlers.
import type { Root } from "./types.ts";

/** An optional feature of a client. */
export type Ability = "elicit" | "elicit.url" | "sample" | "roots";

/** The client that sent a request. */
export interface Client {
  readonly name?: string;
  readonly version?: string;
  /** Whether this client declared the ability, in a revision that knows it. */
  can(ability: Ability): boolean;
  /**
   * The client's roots, once it has sent them; undefined before that and for clients without roots. Handlers with an
   * InteractiveContext use `ctx.roots()`.
   */
  readonly roots?: readonly Root[] | undefined;
  /** Whether a list of roots of this client has had an entry. An empty list counts only after that. */
  readonly hasNamedRoots: boolean;
}
