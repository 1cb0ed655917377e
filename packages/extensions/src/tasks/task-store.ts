// TaskStore: where tasks are kept. Several processes may share one; each change is a compare-and-set.
import { hasEnded, type TaskRecord } from "./task-record.ts";

/** A position in the list of an owner's tasks, oldest first. */
export interface TaskPosition {
  readonly createdAt: number;
  readonly id: string;
}

/** Whether a position comes after another one. */
export const isAfter = (one: TaskPosition, { createdAt, id }: TaskPosition): boolean =>
  one.createdAt > createdAt || (one.createdAt === createdAt && one.id > id);

/** Keeps tasks until `expiresAt`; those that still run have none. */
export interface TaskStore {
  /** Keeps a new task: any process can get it once this has resolved. False when the store is full. */
  create(task: TaskRecord): Promise<boolean>;
  /** The task; undefined when it is unknown or expired. */
  get(id: string): Promise<TaskRecord | undefined>;
  /** Replaces the task whose version is one less. False when it has another version by now, or is gone. */
  replace(task: TaskRecord): Promise<boolean>;
  /** Calls back after changes of a task by any process, until the returned function is called. */
  watch(id: string, onChange: () => void): () => void;
  /** At most `limit` tasks of an owner after a position, oldest first. */
  list(owner: string, after: TaskPosition | undefined, limit: number): Promise<readonly TaskRecord[]>;
  close(): Promise<void>;
}

/** A store that several processes use, and that brings the client requests of a task to the process where the client reads them. */
export interface RelayingTaskStore extends TaskStore {
  /** Keeps a client request for readers elsewhere. Never rejects: a client request that is lost reaches its time limit. */
  relay(id: string, text: string): Promise<void>;
  /** Sends the client requests of a task, those so far and those that follow, until the returned function is called. */
  readRelay(id: string, send: (text: string) => void): () => void;
}

/** What the transport provides for {@link tasks} where several processes serve the same clients. `maxMs`: the longest run of a task. */
export type ProvidedTaskStore = (maxMs: number) => RelayingTaskStore;

/**
 * Changes a task, again when another change came between. `change` gives the members to change, or undefined to leave it as it is. A task
 * that has ended never changes. Returns the task as it is then; undefined when it is unknown.
 */
export async function changeTask(
  store: TaskStore,
  id: string,
  change: (task: TaskRecord) => Partial<TaskRecord> | undefined,
): Promise<TaskRecord | undefined> {
  for (;;) {
    const task = await store.get(id);
    const changes = task === undefined || hasEnded(task) ? undefined : change(task);
    if (task === undefined || changes === undefined) return task;
    const changed = { ...task, ...changes, version: task.version + 1 };
    if (await store.replace(changed)) return changed;
  }
}

/** The task now and after each change, until it has ended; undefined once it is unknown. Throws when the signal aborts. */
export async function* followTask(store: TaskStore, id: string, signal: AbortSignal): AsyncGenerator<TaskRecord | undefined> {
  let change = Promise.withResolvers<void>();
  const onAbort = (): void => change.reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
  signal.addEventListener("abort", onAbort);
  const stop = store.watch(id, () => change.resolve()); // before the look-up, so that no change is missed
  try {
    for (;;) {
      const task = await store.get(id);
      yield task;
      if (task === undefined || hasEnded(task)) return;
      if (signal.aborted) onAbort();
      await change.promise;
      change = Promise.withResolvers();
    }
  } finally {
    stop();
    signal.removeEventListener("abort", onAbort);
  }
}
