// The requests of the tasks extension: tasks/get, tasks/update and tasks/cancel.
import { type ExtensionMethod, invalidParams } from "@oarlock/server-kit";
import { checkInputResponse, within } from "@oarlock/server-kit/extension";
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { statusWith } from "./running-task.ts";
import { ownerOf } from "./task-calls.ts";
import { toDetailedWire } from "./task-messages.ts";
import { hasEnded, type TaskRecord } from "./task-record.ts";
import type { TaskRegistry } from "./task-registry.ts";
import { changeTask } from "./task-store.ts";

/** How long `tasks/cancel` waits for the handler to stop, so that most clients see the task cancelled at once. */
const CANCEL_WAIT_MS = 250;

export function taskRequests(registry: TaskRegistry): Record<string, ExtensionMethod> {
  const { store } = registry;
  return {
    "tasks/get": {
      nameMember: "taskId",
      run: async (params, ctx) => toDetailedWire(await registry.find(params, ownerOf(ctx))),
    },
    "tasks/update": {
      nameMember: "taskId",
      async run(params, ctx) {
        const { id } = await registry.find(params, ownerOf(ctx));
        const { inputResponses } = params;
        if (!isObject(inputResponses)) throw invalidParams("inputResponses: expected an object");
        await changeTask(store, id, (task) => withResponses(task, inputResponses));
        return {};
      },
    },
    "tasks/cancel": {
      nameMember: "taskId",
      async run(params, ctx) {
        const { id } = await registry.find(params, ownerOf(ctx));
        const done = registry.running(id)?.done;
        const message = { isCancelRequested: true, statusMessage: "The task is being cancelled.", updatedAt: Date.now() };
        const task = await changeTask(store, id, (current) => (current.isCancelRequested ? undefined : message));
        if (task !== undefined && !hasEnded(task) && done !== undefined) await within(CANCEL_WAIT_MS, done);
        return {};
      },
    },
  };
}

/** Moves responses to outstanding input requests into the task; ignores all others. Throws -32602, and takes none, when one is invalid. */
function withResponses(task: TaskRecord, given: Json): Partial<TaskRecord> | undefined {
  const outstanding = Object.entries(task.inputRequests);
  const taken = outstanding
    .filter(([key]) => Object.hasOwn(given, key))
    .map(([key, request]) => [key, validResponse(key, request, given[key])]);
  if (taken.length === 0) return undefined;
  const inputRequests = Object.fromEntries(outstanding.filter(([key]) => !Object.hasOwn(given, key)));
  const inputResponses = { ...task.inputResponses, ...(Object.fromEntries(taken) as Record<string, Json>) }; // checked one by one
  return { inputRequests, inputResponses, status: statusWith(inputRequests), updatedAt: Date.now() };
}

function validResponse(key: string, request: Json, response: unknown): Json {
  if (!isObject(response)) throw invalidParams(`inputResponses, ${key}: expected an object`);
  checkInputResponse(key, request, response);
  return response;
}
