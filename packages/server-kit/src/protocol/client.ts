// Client: name, version and abilities of a client, for handlers.
import type { Json, Root } from "./types.ts";

/** An optional feature of a client. */
export type Ability = "elicit" | "elicit.url" | "sample" | "roots";

/** The client that sent a request. */
export interface Client {
  readonly name?: string;
  readonly version?: string;
  /** Whether this client declared the ability, in a revision that knows it. */
  can(ability: Ability): boolean;
  /**
   * The settings that this client declared for an extension of the server, `{}` when it has none. Undefined when it did not declare the
   * extension, or when its revision may not have it.
   */
  extension(id: string): Json | undefined;
  /**
   * The client's roots, once it has sent them; undefined before that and for clients without roots. Handlers with an
   * InteractiveContext use `ctx.roots()`.
   */
  readonly roots?: readonly Root[] | undefined;
  /** Whether a list of roots of this client has had an entry. An empty list counts only after that. */
  readonly hasNamedRoots: boolean;
}
