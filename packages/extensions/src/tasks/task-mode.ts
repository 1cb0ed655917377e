// taskMode(): whether calls of a tool become tasks.
import type { ToolAddition, ToolDefinition } from "@oarlock/server-kit";
import { additionOf } from "@oarlock/server-kit/extension";
import { TASKS } from "./task-messages.ts";

/**
 * Whether a call may be answered with a task, where the server has tasks: `never`; `always` from the beginning, if the client has tasks;
 * `required` likewise, but refused to clients without tasks. `afterMs`: after this time, instead of the server's own. `optional`: as by
 * default, and clients of 2025-11-25 see in the list that they may ask for a task.
 */
export type TaskMode = "never" | "optional" | "always" | "required" | { readonly afterMs: number; readonly required?: boolean };

/**
 * Sets whether calls of a tool become tasks, for `tool({ extensions: [taskMode(...)] })`. Default: those that take longer than the time that is set
 * for the server. In a server without tasks it has no effect.
 * @example
 * const build = tool({ name: "build", extensions: [taskMode("always")], run: () => "built" });
 */
export const taskMode = (mode: TaskMode): ToolAddition => ({ extension: TASKS, value: mode });

/** The mode of a tool; undefined where it has none of its own. */
export const taskModeOf = (tool: ToolDefinition | undefined): TaskMode | undefined =>
  tool && (additionOf(tool, TASKS) as TaskMode | undefined); // made by `taskMode`

/** `afterMs`: time until a call becomes a task; 0 at once, Infinity never. */
interface CallMode {
  readonly afterMs: number;
  readonly isRequired: boolean;
}

/** How a tool with this mode is called. */
export function callMode(mode: TaskMode | undefined, defaultAfterMs: number): CallMode {
  switch (mode) {
    case undefined:
    case "optional":
      return { afterMs: defaultAfterMs, isRequired: false };
    case "never":
      return { afterMs: Infinity, isRequired: false };
    case "always":
      return { afterMs: 0, isRequired: false };
    case "required":
      return { afterMs: 0, isRequired: true };
    default:
      return { afterMs: mode.afterMs, isRequired: mode.required === true };
  }
}
