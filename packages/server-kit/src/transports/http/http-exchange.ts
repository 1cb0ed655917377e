// HttpExchange: the contract between the rules of the HTTP transport and the platforms that carry requests
// (node:http, and web-standard Request and Response).
import type { HttpRequestInfo } from "../../protocol/http-request.ts";
import type { ByteBudget, Caller } from "./caller.ts";
import type { RequestHeaders } from "./request-headers.ts";

/** Header names and values in turn: `["Allow", "POST"]`. */
export type HeaderList = readonly string[];

/**
 * Is notified of what becomes of a connection. An object that is there anyhow: closures in the fields of each request outlived their requests,
 * which cost a stream a quarter of its time.
 */
export interface ConnectionListener {
  /** The client closed the connection before the response was complete. */
  disconnected(): void;
  /** A slow client has caught up. */
  drained?(): void;
}

/** One HTTP request and its response. */
export interface HttpExchange {
  readonly method: string;
  /** Path without the query, as sent; undefined when the request target does not match this host. */
  readonly path: string | undefined;
  /** The path before a framework has removed the prefix of a mounted handler; undefined where none has. */
  readonly originalPath?: string | undefined;
  /** The request of the platform, for the login of an app. */
  readonly source: unknown;
  /** What handlers may see. */
  readonly http: HttpRequestInfo;
  /** The text after `?`; empty without a query. */
  readonly query: string;
  readonly headers: RequestHeaders;
  /** Local port of the connection; undefined when the platform does not say. */
  readonly port: number | undefined;
  /** Address of the client, or of the proxy in front; undefined when the platform does not say. */
  readonly remoteAddress: string | undefined;
  /** Headers added to every response, such as those of CORS. */
  extraHeaders: HeaderList;
  /** When the token of the request expires, in milliseconds since the Unix epoch: event streams end then. */
  expiresAt?: number | undefined;
  /** Makes the refusal of a message that needs the scope for writing; undefined when the caller has it. */
  refuseWrite?: (() => Error) | undefined;
  /** Who has sent it, where limits for each caller are set. */
  caller?: Caller | undefined;
  /** Notified once when the client closes the connection before the response is complete. */
  listener: ConnectionListener | undefined;
  /** Reads the body. Call at most once. Rejects with an HttpError when it is longer than `maxBytes`, beyond the budget or not UTF-8. */
  readBody(maxBytes: number, budget: ByteBudget): Promise<string>;
  /** Sends a complete response. */
  respond(status: number, headers: HeaderList, body?: string): void;
  /** Starts a response that is an event stream. The listener is also notified when a slow client has caught up. */
  openStream(headers: HeaderList): EventSink;
}

/** The part of an exchange that watches the connection, from the first listener on. */
export abstract class ClosableExchange implements Pick<HttpExchange, "expiresAt" | "refuseWrite" | "caller" | "listener"> {
  expiresAt: number | undefined;
  caller: Caller | undefined;
  refuseWrite: (() => Error) | undefined;
  #listener: ConnectionListener | undefined;
  #isWatched = false;

  get listener(): ConnectionListener | undefined {
    return this.#listener;
  }

  set listener(listener: ConnectionListener | undefined) {
    this.#listener = listener;
    if (listener === undefined || this.#isWatched) return;
    this.#isWatched = true;
    this.watchClose();
  }

  /** Tells the listener when the client closes the connection, or soon if it has done so. */
  protected abstract watchClose(): void;
}

/** The open response of an event stream. After `end` and `abort` the listener is notified of nothing. */
export interface EventSink {
  /** Returns false when the client reads too slowly: write again after `drained`. */
  write(text: string): boolean;
  end(last?: string): void;
  /** Breaks the connection without an end. */
  abort(): void;
}
