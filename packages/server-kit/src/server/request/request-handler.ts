// The handler of one method, in the newest revision's shape.
import type { Awaitable } from "../../features/awaitable.ts";
import type { InteractiveContext } from "../../features/context.ts";
import type { Failure, Report } from "../../protocol/errors.ts";
import type { Json } from "../../wire/json-rpc.ts";

/** Computes a result for each request. */
export interface CallHandler {
  run(params: Json, ctx: InteractiveContext): Awaitable<object>;
  /** Turns what `run` threw into a failure. Default: `toFailure`. */
  toFailure?(error: unknown, report: Report): Failure;
}

/** Lists what is the same for every client: the encoded first page is kept until the version changes. */
export interface ListHandler {
  version(): number;
  list(cursor: unknown): object;
}

export type RequestHandler = CallHandler | ListHandler;

export const isListHandler = (handler: RequestHandler): handler is ListHandler => "list" in handler;
