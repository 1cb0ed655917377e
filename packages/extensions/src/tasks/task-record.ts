// TaskRecord: one task, as stores keep it. Plain data that JSON can hold, so that any process can serve it.
import type { ErrorObject, Json } from "@oarlock/server-kit/protocol";

/** `completed`, `failed` and `cancelled` are final. */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** One task. Times are milliseconds since 1970. */
export interface TaskRecord {
  /** 192 random bits as base64url. */
  readonly id: string;
  /** The caller that created it: others see no such task. */
  readonly owner: string;
  /** Whether its tool may change something: whoever answers or cancels it then needs the scope for writing. Default true. */
  readonly mayChange?: boolean;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: number;
  /** The last change that a client can see. */
  readonly updatedAt: number;
  /** How long it is kept after its end, in milliseconds. */
  readonly ttlMs: number;
  /** Set at its end: from then on the task is unknown. */
  readonly expiresAt?: number;
  /** Input requests without a response, by keys that are never used again. */
  readonly inputRequests: Readonly<Record<string, Json>>;
  /** Responses that the handler has not received yet. */
  readonly inputResponses: Readonly<Record<string, Json>>;
  readonly isCancelRequested: boolean;
  /** The result of the original request as JSON, in the shape of its revision. */
  readonly result?: string;
  /** The JSON-RPC error of the original request. */
  readonly error?: ErrorObject;
  /** Increases by one with each change. */
  readonly version: number;
}

const ID_BYTES = 24;

/** The owner of the tasks of a caller in the stateless era; empty for anonymous ones, which differ by the ids of their tasks only. */
export const ownerOfPrincipal = (principal: string): string => `extension:${principal}`;

/** The owner of the core tasks of a caller. */
export const coreOwnerOf = (principal: string): string => `core:${principal}`;

/** A new task that works. */
export function newTask(owner: string, { ttlMs, mayChange }: { ttlMs: number; mayChange: boolean }): TaskRecord {
  const now = Date.now();
  const bytes = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(ID_BYTES)));
  return {
    id: btoa(bytes).replaceAll("+", "-").replaceAll("/", "_"),
    owner,
    mayChange,
    status: "working",
    createdAt: now,
    updatedAt: now,
    ttlMs,
    inputRequests: {},
    inputResponses: {},
    isCancelRequested: false,
    version: 1,
  };
}

/** Whether a task has ended. */
export const hasEnded = ({ status }: TaskRecord): boolean => status !== "working" && status !== "input_required";

/** How long a task lives in total. While it runs, that grows: it is kept for `ttlMs` after its end. */
export function totalTtlMs({ createdAt, expiresAt, ttlMs }: TaskRecord): number {
  return (expiresAt ?? Date.now() + ttlMs) - createdAt;
}

/** The members that end a task. */
export function ended(task: TaskRecord, end: Pick<TaskRecord, "status" | "statusMessage" | "result" | "error">): Partial<TaskRecord> {
  const now = Date.now();
  return { ...end, updatedAt: now, expiresAt: now + task.ttlMs, inputRequests: {}, inputResponses: {} };
}
