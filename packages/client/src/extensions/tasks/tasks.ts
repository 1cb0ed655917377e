// Tasks: the tasks of a server by their ids, for example after a reconnection.
import type { CallToolResult } from "@oarlock/server-kit/protocol";
import type { RequestOptions } from "../../connection/pending-request.ts";
import type { Task } from "./task.ts";

/** The tasks of one server. */
export interface Tasks {
  /** The state of a task. Rejects with error -32602 when the server has no such task for this client. */
  get(taskId: string, options?: RequestOptions): Promise<Task>;
  /**
   * Waits for a task as `call` does, and gives the result of its call, for example after a reconnection or in another process. Answers
   * its input requests. Aborting the signal cancels the task; closing the client leaves it running.
   * @example
   * await client.call("search", { text: "oar" }, { onTask: ({ taskId }) => void writeFileSync("task", taskId) });
   * const result = await later.tasks.resume(readFileSync("task", "utf8"));
   */
  resume(taskId: string, options?: RequestOptions): Promise<CallToolResult>;
  /** Requests the end of a task. It may complete all the same; the request of an ended task changes nothing. */
  cancel(taskId: string, options?: RequestOptions): Promise<void>;
}
