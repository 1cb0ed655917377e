// RefusalLog: warnings about requests without a valid token or scope, few enough that no client can flood a log with them.
import type { HttpExchange } from "../http-exchange.ts";

const INTERVAL_MS = 10_000;

export class RefusalLog {
  readonly #log: (level: "warning", data: unknown) => void;
  #lastMs = -Infinity;
  #unwritten = 0;

  constructor(log: (level: "warning", data: unknown) => void) {
    this.#log = log;
  }

  /** Writes a line, or counts the request for the next one. `lacks`: what is wrong with the token, without the token itself. */
  add(
    { method, path, remoteAddress }: Pick<HttpExchange, "method" | "path" | "remoteAddress">,
    lacks: string,
    { status = 401, now = performance.now() }: { status?: 401 | 403; now?: number } = {},
  ): void {
    if (now - this.#lastMs < INTERVAL_MS) return void this.#unwritten++;
    const from = remoteAddress === undefined ? "" : ` from ${remoteAddress}`;
    const more = this.#unwritten === 0 ? "" : ` Since the last such line ${this.#unwritten} more were refused.`;
    this.#log("warning", `Refused ${method} ${path ?? ""}${from} with status ${status}: ${lacks}.${more}`);
    this.#lastMs = now;
    this.#unwritten = 0;
  }
}
