// A client as handlers see it.
import type { Root } from "./types.ts";

/** What a client may support. */
export type Ability = "elicit" | "elicit.url" | "sample" | "roots";

/** A client as handlers see it. */
export interface Client {
  readonly name?: string;
  readonly version?: string;
  /** Whether this client declared the ability, in a revision that knows it. */
  can(what: Ability): boolean;
  /**
   * The client's roots, once it has sent them; undefined before that and for clients without roots. Handlers with an
   * InteractiveContext use `ctx.roots()`.
   */
  readonly roots?: readonly Root[] | undefined;
}
