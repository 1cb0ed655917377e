// The filter `taskIds` of subscriptions/listen: sends the state of tasks when it changes.
import type { Context } from "../../features/context.ts";
import { invalidParams } from "../../protocol/errors.ts";
import type { OpenFilter, SubscriptionFilter } from "../../server/extension/extension.ts";
import type { Json } from "../../wire/json-rpc.ts";
import { ownerOf } from "./task-calls.ts";
import { toDetailedWire } from "./task-messages.ts";
import { hasEnded, type TaskRecord } from "./task-record.ts";
import type { TaskRegistry } from "./task-registry.ts";
import type { TaskStore } from "./task-store.ts";

const NOTIFICATION = "notifications/tasks";

/** Accepts at most `maxIds` ids in one subscription. */
export function taskFilter({ store }: TaskRegistry, maxIds: number): SubscriptionFilter {
  return {
    check(value) {
      if (!Array.isArray(value) || !value.every((id) => typeof id === "string"))
        throw invalidParams("notifications.taskIds: expected a list of task ids");
      if (value.length > maxIds) throw invalidParams(`notifications.taskIds: at most ${maxIds} ids`);
    },
    async open(value, ctx, notify): Promise<OpenFilter> {
      const ids = await ownTasks(store, [...new Set(value as string[])], ctx); // checked above
      const watches = ids.map((id) => new TaskWatch(store, id, (task) => notify(NOTIFICATION, task)));
      const close = (): void => watches.forEach((watch) => watch.close());
      return { accepted: ids.length === 0 ? undefined : ids, close };
    },
  };
}

/** The ids of tasks of this caller; unknown and foreign ones are left out. */
async function ownTasks(store: TaskStore, ids: readonly string[], ctx: Context): Promise<string[]> {
  const tasks = await Promise.all(ids.map((id) => store.get(id)));
  return tasks.flatMap((task) => (task?.owner === ownerOf(ctx) ? task.id : []));
}

/** Sends each state of one task once. A task that only works is not sent at first: its client knows that from the creation. */
class TaskWatch {
  readonly #store: TaskStore;
  readonly #id: string;
  readonly #send: (task: Json) => void;
  readonly #stop: () => void;
  #last = "working";
  #isReading = false;
  #hasChanged = false;
  #isClosed = false;

  constructor(store: TaskStore, id: string, send: (task: Json) => void) {
    this.#store = store;
    this.#id = id;
    this.#send = send;
    this.#stop = store.watch(id, () => void this.#read());
    void this.#read();
  }

  /** Changes during a look-up are read together afterwards, so that states are sent in order. */
  async #read(): Promise<void> {
    this.#hasChanged = true;
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#hasChanged && !this.#isClosed) {
      this.#hasChanged = false;
      const task = await this.#store.get(this.#id).catch(() => undefined); // the client still polls
      if (task === undefined) continue;
      const state = stateOf(task);
      if (state === this.#last || this.#isClosed) continue;
      this.#last = state;
      this.#send(toDetailedWire(task));
      if (hasEnded(task)) this.close();
    }
    this.#isReading = false;
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }
}

const stateOf = ({ status, statusMessage, inputRequests }: TaskRecord): string =>
  [status, ...(statusMessage === undefined ? [] : [statusMessage]), ...Object.keys(inputRequests)].join("\n");
