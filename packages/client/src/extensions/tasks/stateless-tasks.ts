// StatelessTasks: waits for calls that have become tasks on the server.
// https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/2026-07-28/tasks.md
import { isObject, type CallToolResult, type Json } from "@oarlock/server-kit/protocol";
import { toCallResult } from "../../call-result.ts";
import type { ClientConnection } from "../../connection/client-connection.ts";
import type { RequestOptions } from "../../connection/pending-request.ts";
import { RequestTimeoutError } from "../../errors.ts";
import { unwrapResult } from "../../stateless/envelope.ts";
import type { SubscriptionRegistry } from "../../stateless/subscription-registry.ts";
import { MAX_TIMER_MS } from "../../timers.ts";
import { TaskRun } from "./task-run.ts";
import { TASKS, toTask, type Task } from "./task.ts";
import type { Tasks } from "./tasks.ts";

type Send = (method: string, params: Json, options: RequestOptions | undefined) => Promise<Json>;

export class StatelessTasks implements Tasks {
  readonly #connection: ClientConnection;
  readonly #subscriptions: SubscriptionRegistry;
  readonly #request: Send;

  constructor(connection: ClientConnection, subscriptions: SubscriptionRegistry, request: Send) {
    this.#connection = connection;
    this.#subscriptions = subscriptions;
    this.#request = request;
  }

  /** The extensions to declare in a request. `isCall`: its result may be a task. */
  declaredFor(method: string, { notifications }: Json, isCall: boolean): Json {
    const isAboutTasks = method.startsWith("tasks/") || (isObject(notifications) && notifications.taskIds !== undefined);
    return isCall || isAboutTasks ? { [TASKS]: {} } : {};
  }

  async get(taskId: string, options?: RequestOptions): Promise<Task> {
    return toTask(await this.#request("tasks/get", { taskId }, options));
  }

  async resume(taskId: string, options: RequestOptions = {}): Promise<CallToolResult> {
    return toCallResult(unwrapResult(await this.#untilEnded(taskId, undefined, options)), `task ${taskId}`);
  }

  async cancel(taskId: string, options?: RequestOptions): Promise<void> {
    await this.#request("tasks/cancel", { taskId }, options);
  }

  /** The result of a call that was answered with a task. */
  async settle(created: Json, options: RequestOptions): Promise<Json> {
    const task = toTask(created);
    options.onTask?.(task);
    return this.#untilEnded(task.taskId, created, options);
  }

  /** Rejects with the error of the task; when it is cancelled; and, after cancelling it, on abort. */
  async #untilEnded(taskId: string, created: Json | undefined, options: RequestOptions): Promise<Json> {
    const { maxTotalMs = this.#connection.maxTotalMs, timeoutMs = this.#connection.timeoutMs, signal, trace } = options;
    const stop = new AbortController();
    const onTimeout = (): void => stop.abort(new RequestTimeoutError("tools/call", Math.round(maxTotalMs), true));
    const timer = setTimeout(onTimeout, Math.min(Math.max(maxTotalMs, 0), MAX_TIMER_MS));
    const request = (method: string, params: Json): Promise<Json> => this.#request(method, params, { timeoutMs, ...(trace && { trace }) });
    const run = new TaskRun(taskId, {
      connection: this.#connection,
      subscriptions: this.#subscriptions,
      signal: AbortSignal.any([stop.signal, this.#connection.closedSignal, ...(signal ? [signal] : [])]),
      timeoutMs,
      request,
    });
    try {
      return await run.untilEnded(created);
    } catch (error) {
      if (run.isAborted && !this.#connection.peer.isClosed) void request("tasks/cancel", { taskId }).catch(() => undefined);
      throw error;
    } finally {
      clearTimeout(timer);
      stop.abort(new Error("The task has ended"));
    }
  }
}
