// @oarlock/extensions/tasks: the tasks extension.
export { tasks, type TasksOptions } from "./tasks/tasks.ts";
export { MemoryTaskStore, type MemoryTaskStoreOptions } from "./tasks/memory-task-store.ts";
export { taskMode, type TaskMode } from "./tasks/task-mode.ts";
export { TASKS } from "./tasks/task-messages.ts";
export { ended, hasEnded, type TaskRecord, type TaskStatus } from "./tasks/task-record.ts";
export {
  changeTask,
  isAfter,
  type ProvidedTaskStore,
  type RelayingTaskStore,
  type TaskPosition,
  type TaskStore,
} from "./tasks/task-store.ts";
