// tasks: the extension that answers calls that take long with a task.
// https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/2026-07-28/tasks.md
import type { Extension } from "@oarlock/server-kit";
import { OLDEST_STATELESS } from "@oarlock/server-kit/extension";
import type { Json } from "@oarlock/server-kit/protocol";
import { coreTasks } from "./core/core-tasks.ts";
import { MemoryTaskStore } from "./memory-task-store.ts";
import { TaskCalls } from "./task-calls.ts";
import { taskFilter } from "./task-filter.ts";
import { TASKS } from "./task-messages.ts";
import { TaskRegistry } from "./task-registry.ts";
import { taskRequests } from "./task-requests.ts";
import type { ProvidedTaskStore, TaskStore } from "./task-store.ts";

/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Running tasks at the same time. Further calls are answered without one. */
const MAX_RUNNING = 1000;

/** Options of {@link tasks}. Times are milliseconds. */
export interface TasksOptions {
  /** Time after which a call of a client with tasks becomes a task. Default 2,000; 0 never, unless the tool has a time of its own. */
  afterMs?: number;
  /** How long an ended task is kept. Default 300,000. */
  ttlMs?: number;
  /** Longest run of one task. The time limit of requests does not apply to tasks. Default 3,600,000. */
  maxMs?: number;
  /** Where tasks are kept. Default: where the transport keeps them for several processes, else in this one, at most 10,000 of them. */
  store?: TaskStore;
}

/**
 * Tasks: a call that takes long is answered with a task, which the client polls or subscribes to, gives input to, or cancels. Handlers
 * stay as they are. Clients of 2025-11-25 get the experimental tasks of that revision.
 * @example
 * const patient = defineServer({ name: "hello", version: "1.0.0", tools: [greet], extensions: [tasks({ afterMs: 5000 })] });
 */
export const tasks = (options: TasksOptions = {}): Extension => tasksWithin(MAX_RUNNING, options);

/** Tasks with another bound of running ones, so that a test can reach it. */
export function tasksWithin(maxRunning: number, options: TasksOptions = {}): Extension {
  const { afterMs = 2000, ttlMs = 300_000, maxMs = 3_600_000 } = options;
  for (const [name, value] of Object.entries({ afterMs, ttlMs, maxMs })) {
    if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`Task option ${name} is invalid: expected a whole number from 0.`);
  }
  const limits = { ttlMs: Math.min(ttlMs, MAX_TIMER_MS), maxMs: Math.min(maxMs, MAX_TIMER_MS), maxRunning };
  return {
    id: TASKS,
    since: OLDEST_STATELESS,
    requiresClient: true,
    start(host) {
      const provided = host.provided(TASKS) as ProvidedTaskStore | undefined; // as its declaration says
      const relaying = options.store === undefined ? provided?.(limits.maxMs) : undefined;
      const store = options.store ?? relaying ?? new MemoryTaskStore();
      const registry = new TaskRegistry(host, { store, relaying, ...limits });
      const calls = new TaskCalls(registry, Math.min(afterMs, MAX_TIMER_MS));
      const core = coreTasks(registry);
      const mayChange = (params: Json, principal: string): Promise<boolean> => registry.mayChange(params, principal);
      return {
        methods: taskRequests(registry),
        mayChange: { "tasks/update": mayChange, "tasks/cancel": mayChange },
        filters: { taskIds: taskFilter(registry, host.limits.subscriptions) },
        handlers: { "tools/call": (next) => calls.handler(next) },
        older: ({ facts }) => (facts.coreTasks ? core : undefined),
        settle: (maxMs) => registry.settle(maxMs),
        close: () => registry.close(),
      };
    },
  };
}
