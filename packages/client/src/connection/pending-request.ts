// A request that has no response yet, with its two timeouts: progress restarts the first, nothing restarts the second.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#timeouts
import { isObject, type Json, type TraceContext } from "@oarlock/server-kit/protocol";
import type { Task } from "../extensions/tasks/task.ts";
import { MAX_TIMER_MS } from "../timers.ts";

/** Progress of a request, as reported by the server. */
export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

export interface RequestOptions {
  /** Aborting it cancels the request. */
  signal?: AbortSignal;
  /** Timeout without progress, in milliseconds. Requests of the server to the client suspend it. Default: that of `connect`. */
  timeoutMs?: number;
  /** Timeout in total, in milliseconds. Default: that of `connect`. */
  maxTotalMs?: number;
  /** The trace context to send with the request. Default: that of the option `trace` of `connect`. */
  trace?: TraceContext;
  /** Requests progress notifications, and receives them. */
  onProgress?(progress: Progress): void;
  /** Called when a call has become a task on the server, before the client waits for it: store its id to resume it after a reconnection. */
  onTask?(task: Task): void;
}

export interface PendingRequestOptions {
  timeoutMs: number;
  maxTotalMs: number;
  onProgress: ((progress: Progress) => void) | undefined;
  /** True while the server waits for the client, which suspends `timeoutMs`. */
  isServerWaiting(): boolean;
  onTimeout(afterMs: number, isTotal: boolean): void;
  resolve(result: Json): void;
  reject(error: Error): void;
}

type Timer = ReturnType<typeof setTimeout> | undefined;

export class PendingRequest {
  readonly #options: PendingRequestOptions;
  #idleTimer: Timer;
  readonly #totalTimer: Timer;

  constructor(options: PendingRequestOptions) {
    this.#options = options;
    this.#idleTimer = this.#startIdleTimer();
    this.#totalTimer = startTimer(options.maxTotalMs, () => options.onTimeout(options.maxTotalMs, true));
  }

  #startIdleTimer(): Timer {
    const { timeoutMs, isServerWaiting, onTimeout } = this.#options;
    return startTimer(timeoutMs, () => {
      if (isServerWaiting()) this.#idleTimer = this.#startIdleTimer();
      else onTimeout(timeoutMs, false);
    });
  }

  resolve(result: Json): void {
    this.#options.resolve(result);
  }

  reject(error: Error): void {
    this.#options.reject(error);
  }

  /** Handles `notifications/progress` of this request; ignores malformed params. */
  progress(params: Json): void {
    const { progress, total, message } = params;
    if (typeof progress !== "number") return;
    clearTimeout(this.#idleTimer);
    this.#idleTimer = this.#startIdleTimer();
    this.#options.onProgress?.({
      progress,
      ...(typeof total === "number" && { total }),
      ...(typeof message === "string" && { message }),
    });
  }

  stopTimers(): void {
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#totalTimer);
  }
}

function startTimer(ms: number, callback: () => void): Timer {
  return ms > MAX_TIMER_MS ? undefined : setTimeout(callback, ms);
}

/** Params with a progress token in `_meta`. A token that is already present is kept. */
export function withProgressToken(params: Json | undefined, progressToken: string | number): Json {
  const meta = isObject(params?._meta) ? params._meta : {};
  return { ...params, _meta: { progressToken, ...meta } };
}

/** Params with a trace context in `_meta`. Members that are already present are kept. */
export function withTrace(params: Json | undefined, { traceparent, tracestate, baggage }: TraceContext): Json {
  const meta = isObject(params?._meta) ? params._meta : {};
  const trace = { traceparent, ...(tracestate !== undefined && { tracestate }), ...(baggage !== undefined && { baggage }) };
  return { ...params, _meta: { ...trace, ...meta } };
}
