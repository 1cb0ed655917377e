// A client of the web face: requests by hand, to a server in the same turn of the loop.
import { expect } from "vitest";
import { toFetch, type FetchHandler, type HttpOptions } from "../../src/fetch.ts";
import type { Server } from "../../src/index.ts";
import { initialize, READY } from "./http-talk.ts";
import { BOTH } from "./http-faces.ts";

export type Send = (method: string, body?: unknown, headers?: Record<string, string>, signal?: AbortSignal) => Promise<Response>;

/** Sends what belongs to a session; without one, what does not. */
export const sender =
  (handle: FetchHandler, session?: string): Send =>
  (method, body, headers = {}, signal) => {
    const all = {
      accept: BOTH,
      "content-type": "application/json",
      ...(session !== undefined && { "mcp-session-id": session }),
      ...headers,
    };
    const init = {
      method,
      headers: all,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    };
    return handle(new Request("http://localhost/mcp", init));
  };

/** Opens a session; `ready` false leaves out `notifications/initialized`. */
export async function openWeb(handle: FetchHandler, ready = true): Promise<Send> {
  const opened = await sender(handle)("POST", initialize());
  const send = sender(handle, opened.headers.get("mcp-session-id") ?? "none");
  if (ready) expect((await send("POST", READY)).status).toBe(202);
  return send;
}

export interface WebShop extends AsyncDisposable {
  readonly handle: FetchHandler;
}

/** Served until the end of the block. */
export function webShop(server: Server, options?: HttpOptions): WebShop {
  const handle = toFetch(server, options);
  return { handle, [Symbol.asyncDispose]: () => handle.close(0) };
}
