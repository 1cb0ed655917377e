// Tasks: waits for the end of a call that has become a task on the server. Polls, answers its input requests, and cancels it.
// https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/2026-07-28/tasks.md
import { setTimeout as sleep } from "node:timers/promises";
import { isObject, McpError, type Json } from "@oarlock/server-kit/protocol";
import { answerClientRequest } from "../client-requests/client-request-handlers.ts";
import type { ClientConnection } from "../connection/client-connection.ts";
import { asError, HttpStatusError, InterruptedError, InvalidResponseError, RequestTimeoutError, TaskCancelledError } from "../errors.ts";
import { MAX_TIMER_MS } from "../timers.ts";

const TASKS = "io.modelcontextprotocol/tasks";

const DEFAULT_POLL_MS = 1000;
const MIN_POLL_MS = 50;
const MAX_POLL_MS = 60_000;
/** Consecutive failures of `tasks/get` that may pass. */
const MAX_FAILURES = 8;

interface SettleOptions {
  maxTotalMs: number;
  signal: AbortSignal | undefined;
}

export class Tasks {
  readonly #connection: ClientConnection;
  readonly #request: (method: string, params: Json) => Promise<Json>;

  constructor(connection: ClientConnection, request: (method: string, params: Json) => Promise<Json>) {
    this.#connection = connection;
    this.#request = request;
  }

  /** The extensions to declare in a request. `isCall`: its result may be a task. */
  declaredFor(method: string, isCall: boolean): Json {
    return isCall || method.startsWith("tasks/") ? { [TASKS]: {} } : {};
  }

  /** The result of a task, as the call would have given it. Rejects with its error; when it is cancelled; and, after cancelling it, on abort. */
  async settle(created: Json, { maxTotalMs, signal }: SettleOptions): Promise<Json> {
    const { taskId } = created;
    if (typeof taskId !== "string") throw new InvalidResponseError("Invalid task: expected a taskId");
    const stop = new AbortController();
    const onTimeout = (): void => stop.abort(new RequestTimeoutError("tools/call", Math.round(maxTotalMs), true));
    const timer = setTimeout(onTimeout, Math.min(Math.max(maxTotalMs, 0), MAX_TIMER_MS));
    const signals = [stop.signal, this.#connection.closedSignal, ...(signal ? [signal] : [])];
    const run = new TaskRun(taskId, this.#connection, this.#request, AbortSignal.any(signals));
    try {
      return await run.untilEnded(created);
    } catch (error) {
      if (run.isAborted && !this.#connection.peer.isClosed) void this.#request("tasks/cancel", { taskId }).catch(() => undefined);
      throw error;
    } finally {
      clearTimeout(timer);
      stop.abort(new Error("The task has ended"));
    }
  }
}

/** One task until its end. */
class TaskRun {
  readonly #taskId: string;
  readonly #connection: ClientConnection;
  readonly #request: (method: string, params: Json) => Promise<Json>;
  readonly #signal: AbortSignal;
  /** The input requests so far by their keys, as text: each is answered once. */
  readonly #seen = new Map<string, string>();
  readonly #failed = Promise.withResolvers<never>();
  #hasFailed = false;

  constructor(taskId: string, connection: ClientConnection, request: (method: string, params: Json) => Promise<Json>, signal: AbortSignal) {
    this.#taskId = taskId;
    this.#connection = connection;
    this.#request = request;
    this.#signal = signal;
    this.#failed.promise.catch(() => undefined);
    signal.addEventListener("abort", () => this.#failed.reject(asError(signal.reason)), { once: true });
  }

  /** Whether the task has to be cancelled, as no caller waits for it any more. */
  get isAborted(): boolean {
    return this.#signal.aborted || this.#hasFailed;
  }

  async untilEnded(created: Json): Promise<Json> {
    let task = created;
    for (;;) {
      const result = this.#read(task);
      if (result !== undefined) return result;
      await Promise.race([this.#sleep(task.pollIntervalMs), this.#failed.promise]);
      task = await Promise.race([this.#get(), this.#failed.promise]);
    }
  }

  async #sleep(pollIntervalMs: unknown, factor = 1): Promise<void> {
    const given = typeof pollIntervalMs === "number" && pollIntervalMs > 0 ? pollIntervalMs : DEFAULT_POLL_MS;
    const delayMs = Math.min(Math.max(given, MIN_POLL_MS) * factor, MAX_POLL_MS);
    await sleep(delayMs, undefined, { signal: this.#signal }).catch(() => undefined);
  }

  /** `tasks/get`, again after a failure that may pass. */
  async #get(): Promise<Json> {
    for (let failures = 0; ; failures++) {
      try {
        return await this.#request("tasks/get", { taskId: this.#taskId });
      } catch (error) {
        if (!isTransient(error) || failures >= MAX_FAILURES || this.#signal.aborted) throw error;
        await this.#sleep(undefined, 2 ** failures / 4);
      }
    }
  }

  /** The final result; undefined while the task runs. */
  #read(task: Json): Json | undefined {
    const { status, result, error, statusMessage } = task;
    switch (status) {
      case "input_required":
        this.#answerNew(task.inputRequests);
        return undefined;
      case "working":
        return undefined;
      case "completed":
        if (!isObject(result)) throw new InvalidResponseError("Invalid task: expected the result of a completed task");
        return result;
      case "failed":
        throw toMcpError(error);
      case "cancelled":
        throw new TaskCancelledError(this.#taskId, typeof statusMessage === "string" ? statusMessage : undefined);
      default:
        throw new InvalidResponseError(`Invalid task: unknown status ${JSON.stringify(status)}`);
    }
  }

  #answerNew(inputRequests: unknown): void {
    if (!isObject(inputRequests)) return; // the answer to the creation has none
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
    try {
      if (!isObject(request) || typeof request.method !== "string")
        throw new InvalidResponseError("Invalid input request: expected a method");
      const { handlers, facts } = this.#connection;
      const params = isObject(request.params) ? request.params : {};
      const response = await answerClientRequest(handlers, facts, request.method, params, this.#signal);
      if (!this.#signal.aborted) await this.#update({ [key]: response });
    } catch (error) {
      this.#hasFailed = true;
      this.#failed.reject(asError(error));
    }
  }

  async #update(inputResponses: Json): Promise<void> {
    for (let failures = 0; ; failures++) {
      try {
        await this.#request("tasks/update", { taskId: this.#taskId, inputResponses });
        return;
      } catch (error) {
        if (!isTransient(error) || failures >= MAX_FAILURES || this.#signal.aborted) throw error;
        await this.#sleep(undefined, 2 ** failures / 4);
      }
    }
  }
}

function toMcpError(error: unknown): McpError {
  const { code, message, data } = isObject(error) ? error : {};
  if (typeof code !== "number" || typeof message !== "string")
    throw new InvalidResponseError("Invalid task: expected the error of a failed task");
  return new McpError(code, message, data);
}

function isTransient(error: unknown): boolean {
  if (error instanceof HttpStatusError) return error.status >= 500 || error.status === 429;
  return error instanceof InterruptedError || error instanceof RequestTimeoutError || (error instanceof McpError && error.code === 429);
}
