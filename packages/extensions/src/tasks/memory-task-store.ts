// MemoryTaskStore: keeps the tasks of one process, within bounds.
import type { TaskRecord } from "./task-record.ts";
import { isAfter, type TaskPosition, type TaskStore } from "./task-store.ts";

/** Bounds of a {@link MemoryTaskStore}. A full store takes no new task; the call is then answered without one. */
export interface MemoryTaskStoreOptions {
  /** Tasks, running and ended. Default 10,000. */
  maxTasks?: number;
  /** Tasks of one owner: a principal, or a session without one. Default 1,000. */
  maxTasksPerOwner?: number;
  /** Characters of all results; those of running tasks may come on top. Default 64 Mi. */
  maxResultCharacters?: number;
}

/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Keeps the tasks of one process in memory, within bounds. The default store. */
export class MemoryTaskStore implements TaskStore {
  readonly #maxTasks: number;
  readonly #maxTasksPerOwner: number;
  readonly #maxResultCharacters: number;
  readonly #tasks = new Map<string, TaskRecord>();
  readonly #watchers = new Map<string, Set<() => void>>();
  #resultCharacters = 0;

  constructor({ maxTasks = 10_000, maxTasksPerOwner = 1000, maxResultCharacters = 64 * 1024 * 1024 }: MemoryTaskStoreOptions = {}) {
    this.#maxTasks = maxTasks;
    this.#maxTasksPerOwner = maxTasksPerOwner;
    this.#maxResultCharacters = maxResultCharacters;
  }

  /** Tasks that are kept. */
  get size(): number {
    return this.#tasks.size;
  }

  async create(task: TaskRecord): Promise<boolean> {
    if (this.#tasks.size >= this.#maxTasks || this.#resultCharacters >= this.#maxResultCharacters) return false;
    if ([...this.#tasks.values()].filter(({ owner }) => owner === task.owner).length >= this.#maxTasksPerOwner) return false;
    this.#tasks.set(task.id, task);
    return true;
  }

  async get(id: string): Promise<TaskRecord | undefined> {
    return this.#tasks.get(id);
  }

  async replace(task: TaskRecord): Promise<boolean> {
    const current = this.#tasks.get(task.id);
    if (current?.version !== task.version - 1) return false;
    this.#tasks.set(task.id, task);
    this.#resultCharacters += lengthOf(task) - lengthOf(current);
    if (task.expiresAt !== undefined) this.#removeAt(task, task.expiresAt);
    for (const onChange of this.#watchers.get(task.id) ?? []) onChange();
    return true;
  }

  #removeAt(task: TaskRecord, time: number): void {
    const remove = (): void => {
      if (this.#tasks.delete(task.id)) this.#resultCharacters -= lengthOf(task); // an ended task does not change
    };
    const timer = setTimeout(remove, Math.min(time - Date.now() + 1, MAX_TIMER_MS)); // a timer may be early by a millisecond
    (timer as { unref?(): void }).unref?.(); // Node: a task does not keep the process alive
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
    const found = [...this.#tasks.values()].filter((task) => task.owner === owner && (after === undefined || isAfter(task, after)));
    return found.toSorted((one, other) => (isAfter(one, other) ? 1 : -1)).slice(0, limit);
  }

  async close(): Promise<void> {
    this.#tasks.clear();
  }
}

const lengthOf = ({ result, error }: TaskRecord): number => result?.length ?? (error === undefined ? 0 : JSON.stringify(error).length);
