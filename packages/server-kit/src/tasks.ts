// @oarlock/server-kit/tasks: the tasks extension.
export { tasks, type TasksOptions } from "./extensions/tasks/tasks.ts";
export { MemoryTaskStore, type MemoryTaskStoreOptions } from "./extensions/tasks/memory-task-store.ts";
export type { TaskRecord, TaskStatus } from "./extensions/tasks/task-record.ts";
export { changeTask, type TaskPosition, type TaskStore } from "./extensions/tasks/task-store.ts";
