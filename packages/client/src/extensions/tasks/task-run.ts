// TaskRun: follows one task to its end. Polls it, listens where the server sends its states, and answers its input requests.
import { setTimeout as sleep } from "node:timers/promises";
import { isObject, McpError, type Json } from "@oarlock/server-kit/protocol";
import { answerClientRequest } from "../../client-requests/client-request-handlers.ts";
import type { ClientConnection } from "../../connection/client-connection.ts";
import { asError, HttpStatusError, InterruptedError, InvalidResponseError, RequestTimeoutError } from "../../errors.ts";
import type { SubscriptionRegistry } from "../../stateless/subscription-registry.ts";
import { endOf } from "./task.ts";

const DEFAULT_POLL_MS = 1000;
const MIN_POLL_MS = 50;
const MAX_POLL_MS = 60_000;
/** While the server sends the states of a task it is polled less often, in case one gets lost. */
const LISTENING_FACTOR = 10;
/** Delay before a failed request is sent again; doubled for each further attempt. */
const RETRY_MS = 250;

export interface TaskRunOptions {
  readonly connection: ClientConnection;
  readonly subscriptions: Pick<SubscriptionRegistry, "open">;
  readonly signal: AbortSignal;
  /** How long the server may be away before the run gives up. */
  readonly timeoutMs: number;
  request(method: string, params: Json): Promise<Json>;
}

export class TaskRun {
  readonly #taskId: string;
  readonly #options: TaskRunOptions;
  /** The input requests so far by their keys, as text: each is answered once. */
  readonly #seen = new Map<string, string>();
  readonly #failed = Promise.withResolvers<never>();
  #hasFailed = false;
  #isListening = false;
  /** The last state that the server sent and that is not read yet. */
  #received: Json | undefined;
  #wake = new AbortController();

  constructor(taskId: string, options: TaskRunOptions) {
    this.#taskId = taskId;
    this.#options = options;
    this.#failed.promise.catch(() => undefined);
    const { signal } = options;
    const onAbort = (): void => this.#failed.reject(asError(signal.reason));
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
  }

  /** Whether the task has to be cancelled, as no caller waits for it any more. */
  get isAborted(): boolean {
    return this.#options.signal.aborted || this.#hasFailed;
  }

  /** The result of the call. Throws its error. `created`: the response to the call, which has no result; without it the task is looked up. */
  async untilEnded(created?: Json): Promise<Json> {
    const isRunning = created?.status === "working" || created?.status === "input_required";
    let delayMs = isRunning ? pollDelayOf(created) : 0;
    let subscription: { close(): void } | undefined;
    try {
      for (;;) {
        if (delayMs > 0) subscription ??= this.#listen();
        const task = await Promise.race([this.#failed.promise, this.#next(delayMs)]);
        const result = endOf(task);
        if (result !== undefined) return result;
        this.#answerNew(task.inputRequests);
        delayMs = pollDelayOf(task);
      }
    } finally {
      subscription?.close();
    }
  }

  /** A server need not accept the subscription: the task is polled all the same. */
  #listen(): { close(): void } {
    return this.#options.subscriptions.open(
      { taskIds: [this.#taskId] },
      {
        onOpen: ({ taskIds }, isReopened) => {
          this.#isListening = taskIds?.includes(this.#taskId) === true;
          if (isReopened) this.#wake.abort(); // a state may have been missed
        },
        onEnd: () => (this.#isListening = false),
        onTask: (task) => {
          if (task.taskId !== this.#taskId) return;
          this.#received = task;
          this.#wake.abort();
        },
      },
    );
  }

  /** The next state: as the server sends it, or after the delay by `tasks/get`. */
  async #next(delayMs: number): Promise<Json> {
    this.#wake = new AbortController();
    const signal = AbortSignal.any([this.#options.signal, this.#wake.signal]);
    if (this.#received === undefined) await sleepUntil(signal, this.#isListening ? delayMs * LISTENING_FACTOR : delayMs);
    const received = this.#received;
    this.#received = undefined; // before the poll: what comes meanwhile is for the next call
    return received ?? this.#send("tasks/get");
  }

  /** Sends a request about the task, again after a failure that may pass. */
  async #send(method: string, params: Json = {}): Promise<Json> {
    const { request, signal, timeoutMs } = this.#options;
    let giveUpAt = Infinity;
    for (let delayMs = RETRY_MS; ; delayMs *= 2) {
      try {
        return await request(method, { taskId: this.#taskId, ...params });
      } catch (error) {
        const now = performance.now();
        giveUpAt = Math.min(giveUpAt, now + timeoutMs);
        if (!isTransient(error) || now >= giveUpAt || signal.aborted) throw error;
        await sleepUntil(signal, Math.min(delayMs, giveUpAt - now));
      }
    }
  }

  #answerNew(inputRequests: unknown): void {
    if (!isObject(inputRequests)) return;
    for (const [key, request] of Object.entries(inputRequests)) {
      const text = JSON.stringify(request);
      const seen = this.#seen.get(key);
      if (seen === text) continue;
      if (seen !== undefined) throw new InvalidResponseError(`Invalid task: input request ${key} has changed`);
      this.#seen.set(key, text);
      void this.#answer(key, request);
    }
  }

  /** Answers one input request. A failure ends the call, as the task would wait for ever. */
  async #answer(key: string, request: unknown): Promise<void> {
    const { connection, signal } = this.#options;
    try {
      if (!isObject(request) || typeof request.method !== "string")
        throw new InvalidResponseError("Invalid input request: expected a method");
      const params = isObject(request.params) ? request.params : {};
      const response = await answerClientRequest(connection.handlers, connection.facts, request.method, params, signal);
      if (!signal.aborted) await this.#send("tasks/update", { inputResponses: { [key]: response } });
    } catch (error) {
      this.#hasFailed = true;
      this.#failed.reject(asError(error));
    }
  }
}

function pollDelayOf({ pollIntervalMs }: Json): number {
  return Math.max(typeof pollIntervalMs === "number" && pollIntervalMs > 0 ? pollIntervalMs : DEFAULT_POLL_MS, MIN_POLL_MS);
}

/** Sleeps, at most until the signal aborts. */
async function sleepUntil(signal: AbortSignal, ms: number): Promise<void> {
  await sleep(Math.min(ms, MAX_POLL_MS), undefined, { signal }).catch(() => undefined);
}

function isTransient(error: unknown): boolean {
  if (error instanceof HttpStatusError) return error.status >= 500 || error.status === 429;
  return error instanceof InterruptedError || error instanceof RequestTimeoutError || (error instanceof McpError && error.code === 429);
}
