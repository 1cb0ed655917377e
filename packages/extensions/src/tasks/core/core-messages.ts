// The messages of core tasks, the experimental tasks that are a part of their revision.
import { invalidParams } from "@oarlock/server-kit";
import type { Outcome } from "@oarlock/server-kit/extension";
import type { Json } from "@oarlock/server-kit/protocol";
import { toWire } from "../task-messages.ts";
import type { TaskRecord } from "../task-record.ts";
import type { TaskPosition } from "../task-store.ts";

/** The key in `_meta` of messages that belong to a task. */
export const RELATED_TASK = "io.modelcontextprotocol/related-task";

/** `Task` of core tasks. */
export function toCoreWire(task: TaskRecord): Json {
  const { ttlMs: ttl, pollIntervalMs: pollInterval, ...common } = toWire(task);
  return { ...common, ttl, pollInterval };
}

/** In this revision a tool error fails the task. */
export function endOfCore(outcome: Outcome): Pick<TaskRecord, "status" | "statusMessage" | "result" | "error"> {
  if ("error" in outcome) return { status: "failed", statusMessage: outcome.error.message, error: outcome.error };
  const { result, isError } = outcome;
  return isError ? { status: "failed", statusMessage: "The tool failed: see the result.", result } : { status: "completed", result };
}

export const writeCursor = ({ createdAt, id }: TaskRecord): string => `${createdAt}.${id}`;

export function readCursor(cursor: unknown): TaskPosition | undefined {
  if (cursor === undefined) return undefined;
  const [, createdAt, id] = (typeof cursor === "string" && /^(\d{1,15})\.([\w-]{1,64})$/.exec(cursor)) || [];
  if (createdAt === undefined || id === undefined) throw invalidParams("cursor: expected the nextCursor of a list");
  return { createdAt: Number(createdAt), id };
}
