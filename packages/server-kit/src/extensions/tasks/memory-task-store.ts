// MemoryTaskStore: keeps the tasks of one process, within bounds.
import type { TaskRecord } from "./task-record.ts";
import type { TaskPosition, TaskStore } from "./task-store.ts";

/** Bounds of a {@link MemoryTaskStore}. A full store takes no new task; the call is then answered without one. */
export interface MemoryTaskStoreOptions {
  /** Tasks, running and ended. Default 10,000. */
  maxTasks?: number;
  /** Characters of all results; those of running tasks may come on top. Default 64 Mi. */
  maxResultCharacters?: number;
}

const SWEEP_MS = 1000;

/** Keeps the tasks of one process in memory, within bounds. The default store. */
export class MemoryTaskStore implements TaskStore {
  readonly #maxTasks: number;
  readonly #maxResultCharacters: number;
  /** In order of creation. */
  readonly #tasks = new Map<string, TaskRecord>();
  readonly #watchers = new Map<string, Set<() => void>>();
  #resultCharacters = 0;
  #sweeping: ReturnType<typeof setInterval> | undefined;

  constructor({ maxTasks = 10_000, maxResultCharacters = 64 * 1024 * 1024 }: MemoryTaskStoreOptions = {}) {
    this.#maxTasks = maxTasks;
    this.#maxResultCharacters = maxResultCharacters;
  }

  /** Tasks that are kept, expired ones of the last second included. */
  get size(): number {
    return this.#tasks.size;
  }

  async create(task: TaskRecord): Promise<boolean> {
    if (this.#isFull()) this.#sweep();
    if (this.#isFull()) return false;
    this.#tasks.set(task.id, task);
    if (this.#sweeping === undefined) {
      this.#sweeping = setInterval(() => this.#sweep(), SWEEP_MS);
      (this.#sweeping as { unref?(): void }).unref?.(); // Node: a task does not keep the process alive
    }
    return true;
  }

  #isFull(): boolean {
    return this.#tasks.size >= this.#maxTasks || this.#resultCharacters >= this.#maxResultCharacters;
  }

  async get(id: string): Promise<TaskRecord | undefined> {
    const task = this.#tasks.get(id);
    return task === undefined || isExpired(task) ? undefined : task;
  }

  async replace(task: TaskRecord): Promise<boolean> {
    const current = this.#tasks.get(task.id);
    if (current?.version !== task.version - 1) return false;
    this.#tasks.set(task.id, task);
    this.#resultCharacters += lengthOf(task) - lengthOf(current);
    for (const onChange of this.#watchers.get(task.id) ?? []) onChange();
    return true;
  }

  watch(id: string, onChange: () => void): () => void {
    const watchers = this.#watchers.get(id) ?? new Set();
    this.#watchers.set(id, watchers.add(onChange));
    return () => {
      watchers.delete(onChange);
      if (watchers.size === 0 && this.#watchers.get(id) === watchers) this.#watchers.delete(id);
    };
  }

  async list(owner: string, after: TaskPosition | undefined, limit: number): Promise<readonly TaskRecord[]> {
    const isListed = (task: TaskRecord): boolean =>
      task.owner === owner && !isExpired(task) && (after === undefined || isAfter(task, after));
    const found = [...this.#tasks.values()].filter(isListed);
    return found.toSorted((one, other) => (isAfter(one, other) ? 1 : -1)).slice(0, limit);
  }

  #sweep(): void {
    for (const task of this.#tasks.values()) if (isExpired(task)) this.#remove(task);
    if (this.#tasks.size === 0) this.#stopSweeping();
  }

  #remove(task: TaskRecord): void {
    this.#tasks.delete(task.id);
    this.#resultCharacters -= lengthOf(task);
    for (const onChange of this.#watchers.get(task.id) ?? []) onChange();
  }

  #stopSweeping(): void {
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
  }

  async close(): Promise<void> {
    this.#stopSweeping();
    this.#tasks.clear();
  }
}

const isExpired = ({ expiresAt }: TaskRecord): boolean => expiresAt !== undefined && expiresAt <= Date.now();

const lengthOf = ({ result, error }: TaskRecord): number => result?.length ?? (error === undefined ? 0 : JSON.stringify(error).length);

const isAfter = (task: TaskRecord, { createdAt, id }: TaskPosition): boolean =>
  task.createdAt > createdAt || (task.createdAt === createdAt && task.id > id);
