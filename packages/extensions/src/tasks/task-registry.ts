// TaskRegistry: the tasks of one running server: their store, and those that run in this process.
import { type ExtensionHost, invalidParams, type ToolDefinition } from "@oarlock/server-kit";
import { type ExtensionContext, within } from "@oarlock/server-kit/extension";
import type { Json } from "@oarlock/server-kit/protocol";
import { RunningTask, type TaskHost } from "./running-task.ts";
import { endOf } from "./task-messages.ts";
import { coreOwnerOf, ownerOfPrincipal, type TaskRecord } from "./task-record.ts";
import type { RelayingTaskStore, TaskStore } from "./task-store.ts";

/** How long stopped handlers may take at the end of the server. */
const CLOSE_GRACE_MS = 500;

export interface TaskRegistryOptions {
  readonly store: TaskStore;
  /** The same, where it brings client requests to other processes. */
  readonly relaying?: RelayingTaskStore | undefined;
  readonly ttlMs: number;
  readonly maxMs: number;
  /** Running tasks of all callers. */
  readonly maxRunning: number;
}

export class TaskRegistry {
  readonly store: TaskStore;
  readonly ttlMs: number;
  readonly #host: ExtensionHost;
  readonly #options: TaskRegistryOptions;
  readonly #running = new Map<string, RunningTask>();
  readonly #countByOwner = new Map<string, number>();

  constructor(host: ExtensionHost, options: TaskRegistryOptions) {
    this.#host = host;
    this.#options = options;
    this.store = options.store;
    this.ttlMs = options.ttlMs;
  }

  /** The store, where it brings client requests to other processes. */
  get relaying(): RelayingTaskStore | undefined {
    return this.#options.relaying;
  }

  /** The tool that a call names. */
  toolOf({ name }: Json): ToolDefinition | undefined {
    return typeof name === "string" ? this.#host.tools.get(name) : undefined;
  }

  /** Whether this caller may have one more running task: one caller gets a quarter of the places, while others need them. */
  hasRoom(owner: string): boolean {
    const { maxRunning } = this.#options;
    const own = this.#countByOwner.get(owner) ?? 0;
    return this.#running.size < maxRunning && (own < maxRunning / 4 || own === this.#running.size);
  }

  /** Stores a new task; false when the store is full or cannot be reached. */
  async create(task: TaskRecord): Promise<boolean> {
    try {
      return await this.store.create(task);
    } catch (error) {
      this.#host.log("error", `task not stored: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }

  /** The task with this id, while its handler runs in this process. */
  running(id: string): RunningTask | undefined {
    return this.#running.get(id);
  }

  /** Stores the end of a task when its handler has ended. */
  follow({ id, owner }: TaskRecord, ctx: ExtensionContext, returned: PromiseLike<object>, end: TaskHost["endOf"] = endOf): RunningTask {
    const { store, maxMs } = this.#options;
    const task = new RunningTask(id, ctx, returned, { host: this.#host, store, maxMs, endOf: end });
    this.#running.set(id, task);
    this.#countByOwner.set(owner, (this.#countByOwner.get(owner) ?? 0) + 1);
    void task.done.then(() => this.#remove(id, owner));
    return task;
  }

  #remove(id: string, owner: string): void {
    this.#running.delete(id);
    const count = (this.#countByOwner.get(owner) ?? 1) - 1;
    if (count === 0) this.#countByOwner.delete(owner);
    else this.#countByOwner.set(owner, count);
  }

  /** The task that a request names. Throws -32602, with the same message for an unknown, an expired and a foreign one. */
  async find({ taskId }: Json, owner: string): Promise<TaskRecord> {
    if (typeof taskId !== "string") throw invalidParams("taskId: expected a string");
    const task = await this.store.get(taskId);
    if (task?.owner !== owner) throw unknownTask();
    return task;
  }

  /** Whether a request names a task of this caller that may change something, in either era. */
  async mayChange({ taskId }: Json, principal: string): Promise<boolean> {
    const task = typeof taskId === "string" ? await this.store.get(taskId) : undefined;
    const isOwn = task !== undefined && [ownerOfPrincipal(principal), coreOwnerOf(principal)].includes(task.owner);
    return isOwn && task.mayChange !== false;
  }

  /** Awaits the tasks that run in this process, but not longer than `maxMs`. */
  async settle(maxMs: number): Promise<void> {
    await within(maxMs, Promise.all([...this.#running.values()].map(({ done }) => done)));
  }

  /** Stops the handlers of this process. */
  async close(): Promise<void> {
    const all = [...this.#running.values()];
    for (const task of all) task.stop("shutdown", "The server is shutting down");
    await within(CLOSE_GRACE_MS, Promise.all(all.map(({ done }) => done)));
    await this.store.close();
  }
}

export const unknownTask = (): Error => invalidParams("taskId: unknown task. It has expired or never existed.");
