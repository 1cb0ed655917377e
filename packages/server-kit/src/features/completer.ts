// The function that completes an argument of a prompt or a variable of a template.
import type { Awaitable } from "./awaitable.ts";
import type { Context } from "./context.ts";

/**
 * Returns the values that complete the typed text, best first; the kit sends at most 100. `known` holds the arguments that the user has
 * settled already. https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 */
export type Completer = (typed: string, ctx: Context, known: Readonly<Record<string, string>>) => Awaitable<readonly string[]>;
