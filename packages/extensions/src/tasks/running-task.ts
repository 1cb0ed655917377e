// RunningTask: connects the handler of a task, which runs in this process, with its record in the store: the handler's input requests go
// into the record, responses and cancellation come from there.
import { type ExtensionHost, McpError, type RequestEnd, ToolError } from "@oarlock/server-kit";
import { type EncodedRequest, endOfOutcome, type ExtensionContext, type Outcome, RequestAborted } from "@oarlock/server-kit/extension";
import { INTERNAL_ERROR, type Json } from "@oarlock/server-kit/protocol";
import { ended, hasEnded, type TaskRecord } from "./task-record.ts";
import { changeTask, type TaskStore } from "./task-store.ts";

/** How long a cancelled handler may take to stop before its task counts as cancelled. */
const CANCEL_GRACE_MS = 5000;

/** Pause between attempts to store a change, and how long they go on. */
const RETRY_MS = 500;
const RETRY_LIMIT_MS = 60_000;

/** What a running task needs of the server. */
export interface TaskHost {
  readonly host: ExtensionHost;
  readonly store: TaskStore;
  /** Longest run in milliseconds. */
  readonly maxMs: number;
  /** How a task ends with this outcome. */
  endOf(outcome: Outcome): Pick<TaskRecord, "status" | "statusMessage" | "result" | "error">;
}

export class RunningTask {
  readonly id: string;
  /** Resolves once the end is in the store. */
  readonly done: Promise<void>;
  readonly #taskHost: TaskHost;
  readonly #ctx: ExtensionContext;
  readonly #endObservation: ReturnType<ExtensionContext["takeObservation"]>;
  readonly #waiting = new Map<string, PromiseWithResolvers<Json>>();
  readonly #stopped = Promise.withResolvers<Outcome>();
  readonly #stopWatching: () => void;
  readonly #timeLimit: ReturnType<typeof setTimeout>;
  #grace: ReturnType<typeof setTimeout> | undefined;
  #hasSettled = false;
  #stopReason: RequestAborted | undefined;
  /** How the task ends when its handler throws after it was stopped. */
  #stopOutcome: Outcome | undefined;

  /** `returned`: what the handler returned. */
  constructor(id: string, ctx: ExtensionContext, returned: PromiseLike<object>, taskHost: TaskHost) {
    this.id = id;
    this.#ctx = ctx;
    this.#taskHost = taskHost;
    this.#endObservation = ctx.takeObservation();
    this.#stopWatching = taskHost.store.watch(id, () => void this.#readRecord());
    this.#timeLimit = setTimeout(() => this.stop("timeout", `Timed out after ${taskHost.maxMs} ms`), taskHost.maxMs);
    (this.#timeLimit as { unref?(): void }).unref?.(); // Node: a task does not keep the process alive
    this.done = this.#follow(returned);
  }

  /** Puts an input request into the task and awaits its response. */
  async requestInput(key: string, request: EncodedRequest): Promise<Json> {
    if (this.#stopReason !== undefined) throw this.#stopReason;
    const response = Promise.withResolvers<Json>();
    response.promise.catch(() => undefined); // may reject while the request is being stored
    const { clientRequestMs } = this.#taskHost.host.limits;
    const expired = new ToolError(`The client did not answer ${request.method} within ${clientRequestMs} ms.`);
    const timer = setTimeout(() => response.reject(expired), clientRequestMs);
    this.#waiting.set(key, response);
    try {
      await this.#change(({ inputRequests }) => ({
        status: "input_required",
        updatedAt: Date.now(),
        inputRequests: { ...inputRequests, [key]: { ...request } },
      }));
      return await response.promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(key);
      await this.#withdraw(key);
    }
  }

  /** Removes an input request that the handler no longer waits for: its time limit has passed, or the task is stopping. */
  async #withdraw(key: string): Promise<void> {
    await this.#change(({ inputRequests: { [key]: withdrawn, ...inputRequests } }) =>
      withdrawn === undefined ? undefined : { inputRequests, updatedAt: Date.now(), status: statusWith(inputRequests) },
    );
  }

  async #readRecord(): Promise<void> {
    const task = await this.#taskHost.store.get(this.id).catch(() => undefined); // the next change is read again
    if (task === undefined || (hasEnded(task) && task.status !== "cancelled")) return;
    if (task.isCancelRequested || task.status === "cancelled") this.stop("client", "The task was cancelled");
    const taken = Object.keys(task.inputResponses).filter((key) => this.#waiting.has(key));
    if (taken.length === 0) return;
    for (const key of taken) this.#waiting.get(key)?.resolve(task.inputResponses[key] ?? {});
    await this.#change(({ inputResponses }) => ({
      inputResponses: Object.fromEntries(Object.entries(inputResponses).filter(([key]) => !taken.includes(key))),
    }));
  }

  /** Aborts the handler; when it does not stop, the task ends without it. */
  stop(cause: "client" | "timeout" | "shutdown", reason: string): void {
    if (this.#stopReason !== undefined || this.#hasSettled) return;
    this.#stopReason = new RequestAborted(cause, reason);
    this.#ctx.abort(this.#stopReason);
    for (const response of this.#waiting.values()) response.reject(this.#stopReason);
    const outcome = this.#taskHost.host.failedOutcome(this.#ctx, new McpError(INTERNAL_ERROR, reason, undefined, "tool"));
    this.#stopOutcome = outcome;
    this.#grace = setTimeout(() => this.#stopped.resolve(outcome), cause === "client" ? CANCEL_GRACE_MS : 0);
  }

  async #follow(returned: PromiseLike<object>): Promise<void> {
    const { host, endOf } = this.#taskHost;
    const settled = await Promise.race([host.outcomeOf(this.#ctx, returned), this.#stopped.promise]);
    const outcome = settled.hasThrown ? (this.#stopOutcome ?? settled) : settled;
    this.#hasSettled = true;
    clearTimeout(this.#timeLimit);
    clearTimeout(this.#grace);
    this.#ctx.finish();
    this.#endObservation?.(this.#endOf(outcome)); // before the store, which may be away
    await this.#change((task) => ended(task, task.isCancelRequested && outcome.hasThrown ? { status: "cancelled" } : endOf(outcome)));
    this.#stopWatching();
  }

  /** How the call ended: not the result with the task, which is its response. */
  #endOf(outcome: Outcome): RequestEnd {
    const cause = this.#stopReason?.cause;
    if (outcome.hasThrown && cause !== undefined && cause !== "timeout") return { outcome: "cancelled" };
    return endOfOutcome(outcome);
  }

  /** Stores a change, again while the store cannot be reached. */
  async #change(change: (task: TaskRecord) => Partial<TaskRecord> | undefined): Promise<void> {
    const { store, host } = this.#taskHost;
    const end = performance.now() + RETRY_LIMIT_MS;
    for (;;) {
      try {
        await changeTask(store, this.id, change);
        return;
      } catch (error) {
        if (performance.now() > end) return host.log("error", `task not stored: ${error instanceof Error ? error.message : String(error)}`);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }
}

/** The status of a running task with these input requests. */
export const statusWith = (inputRequests: Readonly<Record<string, Json>>): TaskRecord["status"] =>
  Object.keys(inputRequests).length === 0 ? "working" : "input_required";
