// The messages of the tasks extension: tasks as clients see them.
// https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/2026-07-28/tasks.md
import type { Outcome } from "@oarlock/server-kit/extension";
import type { Json } from "@oarlock/server-kit/protocol";
import { totalTtlMs, type TaskRecord } from "./task-record.ts";

/** The id of the extension. */
export const TASKS = "io.modelcontextprotocol/tasks";

/** How often clients may look, in milliseconds. */
const POLL_MS = 500;

/** `Task` without what its status adds. */
export function toWire(task: TaskRecord): Json {
  const { id, status, statusMessage, createdAt, updatedAt } = task;
  return {
    taskId: id,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs: totalTtlMs(task),
    pollIntervalMs: POLL_MS,
  };
}

/** `DetailedTask`: with input requests, result or error. */
export function toDetailedWire(task: TaskRecord): Json {
  const { status, inputRequests, result, error } = task;
  return {
    ...toWire(task),
    ...(status === "input_required" && { inputRequests }),
    ...(status === "completed" && { result: JSON.parse(result ?? "{}") as unknown }),
    ...(status === "failed" && { error }),
  };
}

/** How a task of the extension ends: `failed` is for JSON-RPC errors only. */
export function endOf(outcome: Outcome): Pick<TaskRecord, "status" | "statusMessage" | "result" | "error"> {
  if ("result" in outcome) return { status: "completed", result: outcome.result };
  return { status: "failed", statusMessage: outcome.error.message, error: outcome.error };
}
