// An HTTP exchange without a socket: records what is written, and lets a test be the client.
import { ClosableExchange, type EventSink, type HeaderList, type HttpExchange } from "../../src/transports/http/http-exchange.ts";
import { parseHeaders, type RequestHeaders } from "../../src/transports/http/request-headers.ts";

export interface RecordedRequest {
  readonly method?: string;
  /** With a query after `?`. Default `/mcp`. */
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly port?: number;
}

export class RecordedExchange extends ClosableExchange implements HttpExchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly port: number | undefined;
  readonly remoteAddress = "203.0.113.5";
  readonly source = undefined;
  readonly http = { headers: {}, query: new URLSearchParams() };
  extraHeaders: HeaderList = [];
  /** What was written to the stream, piece by piece. */
  readonly written: string[] = [];
  /** Status, headers and body of the complete response. */
  response: readonly [status: number, headers: HeaderList, body: string | undefined] | undefined;
  streamHeaders: HeaderList | undefined;
  state: "none" | "open" | "ended" | "aborted" = "none";
  /** The client reads nothing more: each write is one too many. */
  isSlow = false;
  readonly #body: unknown;

  constructor({ method = "POST", target = "/mcp", headers = {}, body, port }: RecordedRequest = {}) {
    super();
    this.method = method;
    this.port = port;
    [this.path = "", this.query = ""] = target.split("?");
    const given = Object.entries({ host: "localhost", ...headers }).filter((entry): entry is [string, string] => entry[1] !== undefined);
    this.headers = parseHeaders(given.flat());
    this.#body = body;
  }

  readBody(): Promise<string> {
    return Promise.resolve(typeof this.#body === "string" ? this.#body : JSON.stringify(this.#body));
  }

  respond(status: number, headers: HeaderList, body?: string): void {
    if (this.response !== undefined || this.state !== "none") throw new Error("A response was sent before.");
    this.response = [status, headers, body];
  }

  openStream(headers: HeaderList): EventSink {
    if (this.response !== undefined || this.state !== "none") throw new Error("A response was sent before.");
    this.streamHeaders = headers;
    this.state = "open";
    return {
      write: (text) => {
        this.written.push(text);
        return !this.isSlow;
      },
      end: (last) => {
        if (last !== undefined && last !== "") this.written.push(last);
        this.state = "ended";
      },
      abort: () => (this.state = "aborted"),
    };
  }

  /** The client reads on. */
  drain(): void {
    this.isSlow = false;
    this.listener?.drained?.();
  }

  /** The client closes the connection. */
  close(): void {
    this.listener?.disconnected();
  }

  protected watchClose(): void {
    // `close` tells the listener
  }
}
