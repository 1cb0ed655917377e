// The handler of one method, in the newest revision's shape.
import type { Awaitable } from "../../features/awaitable.ts";
import type { InteractiveContext } from "../../features/context.ts";
import type { Failure, Report } from "../../protocol/errors.ts";
import type { Json } from "../../wire/json-rpc.ts";
import type { Channel } from "./channel.ts";

/** Handles one request in the newest revision's shape: `run` returns its result, or throws. */
export interface CallHandler {
  run(params: Json, ctx: InteractiveContext): Awaitable<object>;
  /** Turns what `run` threw into a failure. Default: an `McpError` becomes an error response, everything else an internal error. */
  toFailure?(error: unknown, report: Report): Failure;
  /** True for a request that waits for other work than its own: the time limit of requests does not apply. Default false. */
  hasNoTimeLimit?: boolean;
  /** Whether a request with these params may change something. Default: none does. */
  mayChange?(params: Json): boolean;
}

/** Who sends a request, as far as the transport knows. */
export type Caller = Pick<Channel, "auth" | "http">;

/** Lists what is the same for every client: the encoded first page is kept until the version changes. */
export interface ListHandler {
  version(): number;
  list(cursor: unknown): object;
  /** Replaces it for the callers that `concerns` names. */
  readonly forCaller?: { readonly handler: CallHandler; concerns(caller: Caller): boolean };
}

/** Of a request that only watches. */
export const NO_HANDLER: CallHandler = { run: () => ({}) };

export type RequestHandler = CallHandler | ListHandler;

/** The handler of a method for one caller. */
export const handlerFor = (handler: RequestHandler | undefined, caller: Caller): RequestHandler | undefined =>
  handler !== undefined && isListHandler(handler) && handler.forCaller?.concerns(caller) === true ? handler.forCaller.handler : handler;

export const isListHandler = (handler: RequestHandler): handler is ListHandler => "list" in handler;
