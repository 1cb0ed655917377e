// The filter `taskIds` of subscriptions/listen: sends the state of tasks when it changes.
import { type Context, invalidParams, type OpenFilter, type SubscriptionFilter } from "@oarlock/server-kit";
import type { Json } from "@oarlock/server-kit/protocol";
import { ownerOf } from "./task-calls.ts";
import { toDetailedWire } from "./task-messages.ts";
import type { TaskRecord } from "./task-record.ts";
import type { TaskRegistry } from "./task-registry.ts";
import { followTask, type TaskStore } from "./task-store.ts";

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
      const closing = new AbortController();
      const send = (task: Json): void => notify(NOTIFICATION, task);
      for (const id of ids) void sendStates(store, id, closing.signal, send).catch(() => undefined); // clients poll, too
      return { accepted: ids.length === 0 ? undefined : ids, close: () => closing.abort() };
    },
  };
}

/** The ids of tasks of this caller; unknown and foreign ones are left out. */
async function ownTasks(store: TaskStore, ids: readonly string[], ctx: Context): Promise<string[]> {
  const tasks = await Promise.all(ids.map((id) => store.get(id)));
  return tasks.flatMap((task) => (task?.owner === ownerOf(ctx) ? task.id : []));
}

/** Sends each state of one task once. A task that only works is not sent at first: its client knows that from the creation. */
async function sendStates(store: TaskStore, id: string, signal: AbortSignal, send: (task: Json) => void): Promise<void> {
  let last = "working";
  for await (const task of followTask(store, id, signal)) {
    if (task === undefined || stateOf(task) === last) continue;
    last = stateOf(task);
    if (!signal.aborted) send(toDetailedWire(task));
  }
}

const stateOf = ({ status, statusMessage, inputRequests }: TaskRecord): string =>
  [status, ...(statusMessage === undefined ? [] : [statusMessage]), ...Object.keys(inputRequests)].join("\n");
