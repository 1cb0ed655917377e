// LoadedTaskStore: a store of tasks whose code is loaded first.
import type { TaskRecord } from "./task-record.ts";
import type { TaskPosition, TaskStore } from "./task-store.ts";

export class LoadedTaskStore implements TaskStore {
  readonly #store: Promise<TaskStore>;

  constructor(store: Promise<TaskStore>) {
    this.#store = store;
  }

  async create(task: TaskRecord): Promise<boolean> {
    return (await this.#store).create(task);
  }

  async get(id: string): Promise<TaskRecord | undefined> {
    return (await this.#store).get(id);
  }

  async replace(task: TaskRecord): Promise<boolean> {
    return (await this.#store).replace(task);
  }

  watch(id: string, onChange: () => void): () => void {
    let isStopped = false;
    let stop: (() => void) | undefined;
    void this.#store.then((store) => {
      if (!isStopped) stop = store.watch(id, onChange);
    });
    return () => {
      isStopped = true;
      stop?.();
    };
  }

  async list(owner: string, after: TaskPosition | undefined, limit: number): Promise<readonly TaskRecord[]> {
    return (await this.#store).list(owner, after, limit);
  }

  async close(): Promise<void> {
    await (await this.#store).close();
  }
}
