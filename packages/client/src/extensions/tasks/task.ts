// A task as servers describe it, and how its end is read.
// https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/2026-07-28/tasks.md
import { isObject, McpError, type Json } from "@oarlock/server-kit/protocol";
import { InvalidResponseError, TaskCancelledError } from "../../errors.ts";

/** The id of the extension. */
export const TASKS = "io.modelcontextprotocol/tasks";

/** A call that has become a task on the server. */
export interface Task {
  /** Gives access to the task: keep it as secret as a token. */
  readonly taskId: string;
  readonly status: "working" | "input_required" | "completed" | "failed" | "cancelled";
  readonly statusMessage?: string;
  /** ISO 8601, as `lastUpdatedAt`. */
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** How long the server keeps the task from its creation on, in milliseconds; null without a limit. */
  readonly ttlMs: number | null;
}

/** The task in a result. Times are not validated. */
export function toTask({ resultType: _type, _meta, ...task }: Json): Task {
  if (typeof task.taskId !== "string") throw new InvalidResponseError("Invalid task: expected a taskId");
  return task as unknown as Task; // its id is a string, and `endOf` validates its status
}

/** The result of the call, or undefined while the task runs. Throws when the task has failed or was cancelled. */
export function endOf({ taskId, status, result, error, statusMessage }: Json): Json | undefined {
  switch (status) {
    case "working":
    case "input_required":
      return undefined;
    case "completed":
      if (!isObject(result)) throw new InvalidResponseError("Invalid task: expected the result of a completed task");
      return result;
    case "failed":
      throw toMcpError(error);
    case "cancelled":
      throw new TaskCancelledError(String(taskId), typeof statusMessage === "string" ? statusMessage : undefined);
    default:
      throw new InvalidResponseError(`Invalid task: unknown status ${JSON.stringify(status)}`);
  }
}

function toMcpError(error: unknown): McpError {
  const { code, message, data } = isObject(error) ? error : {};
  if (typeof code !== "number" || typeof message !== "string")
    throw new InvalidResponseError("Invalid task: expected the error of a failed task");
  return new McpError(code, message, data);
}
