// @oarlock/server-kit/tasks: the tasks extension.
export { tasks, type TasksOptions } from "./extensions/tasks/tasks.ts";
export { MemoryTaskStore, type MemoryTaskStoreOptions } from "./extensions/tasks/memory-task-store.ts";
export { TASKS } from "./extensions/tasks/task-messages.ts";
export { ended, hasEnded, type TaskRecord, type TaskStatus } from "./extensions/tasks/task-record.ts";
export {
  changeTask,
  isAfter,
  type ProvidedTaskStore,
  type RelayingTaskStore,
  type TaskPosition,
  type TaskStore,
} from "./extensions/tasks/task-store.ts";
