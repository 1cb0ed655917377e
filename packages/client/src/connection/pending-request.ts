// One request of ours that has no answer yet, and its two clocks: one that progress restarts, one that nothing restarts.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#timeouts
import { isObject, type Json } from "@oarlock/server-kit/protocol";

/** Progress of a request, as the server tells it. */
export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

export interface RequestOptions {
  /** Aborting it cancels the request. */
  signal?: AbortSignal;
  /** Longest silence in milliseconds; progress and questions to us start it anew. */
  timeoutMs?: number;
  /** Longest time in all, in milliseconds. */
  maxTotalMs?: number;
  /** Asks for progress, and gets it. */
  onProgress?(progress: Progress): void;
}

export interface WaitingSpec {
  timeoutMs: number;
  maxTotalMs: number;
  onProgress: ((progress: Progress) => void) | undefined;
  /** While this holds the silence is ours: we are being asked something. */
  resting(): boolean;
  late(afterMs: number, total: boolean): void;
  resolve(result: Json): void;
  reject(error: Error): void;
}

type Timer = ReturnType<typeof setTimeout> | undefined;

export class Waiting {
  readonly spec: WaitingSpec;
  #silence: Timer;
  readonly #whole: Timer;

  constructor(spec: WaitingSpec) {
    this.spec = spec;
    this.#silence = this.#startSilence();
    this.#whole = after(spec.maxTotalMs, () => spec.late(spec.maxTotalMs, true));
  }

  #startSilence(): Timer {
    const { timeoutMs, resting, late } = this.spec;
    return after(timeoutMs, () => {
      if (resting()) this.#silence = this.#startSilence();
      else late(timeoutMs, false);
    });
  }

  /** `notifications/progress` of this request; a malformed one counts for nothing. */
  progress(params: Json): void {
    const { progress, total, message } = params;
    if (typeof progress !== "number") return;
    clearTimeout(this.#silence);
    this.#silence = this.#startSilence();
    this.spec.onProgress?.({
      progress,
      ...(typeof total === "number" && { total }),
      ...(typeof message === "string" && { message }),
    });
  }

  stop(): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#whole);
  }
}

/** Longer than this and a timer of the platform would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

function after(ms: number, act: () => void): Timer {
  return ms > LONGEST_MS ? undefined : setTimeout(act, ms);
}

/** Params with a progress token, beside whatever `_meta` they hold. */
export function withToken(params: Json | undefined, progressToken: string | number): Json {
  const meta = isObject(params?._meta) ? params._meta : {};
  return { ...params, _meta: { progressToken, ...meta } };
}
