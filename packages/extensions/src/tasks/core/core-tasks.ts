// Core tasks, the experimental tasks that are a part of their revision: the client asks for a task by `params.task`. They share store and
// handlers with the extension.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
import { type CallHandler, type ExtensionMethod, type ExtensionParts, invalidParams, McpError } from "@oarlock/server-kit";
import type { ExtensionContext } from "@oarlock/server-kit/extension";
import { INTERNAL_ERROR, isObject, type Json, METHOD_NOT_FOUND, notificationText } from "@oarlock/server-kit/protocol";
import { type TaskMode, taskModeOf } from "../task-mode.ts";
import { coreOwnerOf, ended, hasEnded, newTask, type TaskRecord } from "../task-record.ts";
import { unknownTask, type TaskRegistry } from "../task-registry.ts";
import { changeTask, followTask } from "../task-store.ts";
import { endOfCore, RELATED_TASK, readCursor, toCoreWire, writeCursor } from "./core-messages.ts";
import { TaskChannel } from "./task-channel.ts";

const PAGE_SIZE = 100;

/** The shortest time that an ended task is kept, whatever the client asks for. */
const MIN_TTL_MS = 1000;

export function coreTasks(registry: TaskRegistry): ExtensionParts {
  const core = new CoreTasks(registry);
  return {
    capabilities: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
    handlers: { "tools/call": (next) => ({ ...next, run: (params, ctx) => core.call(next, params, ctx) }) },
    methods: core.methods(),
    lists: {
      "tools/list": (page) => ({
        ...page,
        tools: (page.tools as Json[]).map((tool) => ({ ...tool, ...executionOf(taskModeOf(registry.toolOf(tool))) })), // a page of this kit
      }),
    },
  };
}

/** Listed for tools with a mode of their own only, as it takes 40 bytes of each entry. A task is given for the others too, when it is asked for. */
function executionOf(mode: TaskMode | undefined): Json {
  if (mode === "never" || mode === undefined) return {};
  return { execution: { taskSupport: isRequired(mode) ? "required" : "optional" } };
}

const isRequired = (mode: TaskMode | undefined): boolean => mode === "required" || (isObject(mode) && mode.required === true);

class CoreTasks {
  readonly #registry: TaskRegistry;
  readonly #channels = new Map<string, TaskChannel>();
  readonly #sessions = new WeakMap<object, string>();
  #sessionCount = 0;

  constructor(registry: TaskRegistry) {
    this.#registry = registry;
  }

  /** Tasks belong to the principal, without one to the session. */
  #ownerOf(ctx: ExtensionContext): string {
    const { auth, client } = ctx;
    if (auth !== undefined) return coreOwnerOf(auth.principal);
    if (ctx.sessionKey !== undefined) return `core-session:${ctx.sessionKey}`;
    const known = this.#sessions.get(client) ?? `core-session:${++this.#sessionCount}`;
    this.#sessions.set(client, known);
    return known;
  }

  call(next: CallHandler, params: Json, ctx: ExtensionContext): ReturnType<CallHandler["run"]> {
    const tool = this.#registry.toolOf(params);
    const mode = taskModeOf(tool);
    const asks = params.task !== undefined;
    if (tool !== undefined && asks && mode === "never")
      throw new McpError(METHOD_NOT_FOUND, `Tool ${tool.name} does not support tasks. Call it without task.`);
    if (tool !== undefined && !asks && isRequired(mode))
      throw new McpError(METHOD_NOT_FOUND, `Tool ${tool.name} requires a task. Call it with task.`);
    if (!asks || tool === undefined) return next.run(params, ctx);
    return this.#create(next, params, ctx);
  }

  async #create(next: CallHandler, params: Json, ctx: ExtensionContext): Promise<Json> {
    const { store, ttlMs } = this.#registry;
    const task = newTask(this.#ownerOf(ctx), { ttlMs: requestedTtl(params.task, ttlMs), mayChange: ctx.mayChange });
    if (!this.#registry.hasRoom(task.owner) || !(await this.#registry.create(task)))
      throw new McpError(INTERNAL_ERROR, "Server busy: too many tasks. Retry later, or call the tool without task.");
    const { relaying } = this.#registry;
    const channel = new TaskChannel(task.id, ctx, relaying && ((text) => void relaying.relay(task.id, text)));
    const own = ctx.fork(channel);
    own.onPendingClientRequests = (pending) => {
      const status = pending > 0 ? "input_required" : "working";
      void changeTask(store, task.id, (current) => (current.status === status ? undefined : { status, updatedAt: Date.now() }));
    };
    this.#channels.set(task.id, channel);
    const unwatch = store.watch(task.id, () => void this.#notifyStatus(ctx, task.id));
    // In a later turn: the response with the task comes before its messages.
    const returned = Promise.resolve().then(async () => next.run(params, own));
    const { done } = this.#registry.follow(task, own, returned, endOfCore);
    void done.then(() => {
      unwatch();
      this.#channels.delete(task.id);
    });
    return { task: { ...toCoreWire(task), ttl: task.ttlMs } };
  }

  async #notifyStatus(ctx: ExtensionContext, id: string): Promise<void> {
    const task = await this.#registry.store.get(id);
    if (task !== undefined) ctx.notifySession(notificationText("notifications/tasks/status", toCoreWire(task)));
  }

  methods(): Record<string, ExtensionMethod> {
    const { store } = this.#registry;
    const find = (params: Json, ctx: ExtensionContext): Promise<TaskRecord> => this.#registry.find(params, this.#ownerOf(ctx));
    return {
      "tasks/get": { run: async (params, ctx) => toCoreWire(await find(params, ctx)) },
      "tasks/result": {
        hasNoTimeLimit: true,
        run: async (params, ctx) => this.#result((await find(params, ctx)).id, ctx),
      },
      "tasks/list": {
        run: async ({ cursor }, ctx) => {
          const found = await store.list(this.#ownerOf(ctx), readCursor(cursor), PAGE_SIZE + 1);
          const page = found.slice(0, PAGE_SIZE);
          const last = page.at(-1);
          return { tasks: page.map(toCoreWire), ...(found.length > PAGE_SIZE && last !== undefined && { nextCursor: writeCursor(last) }) };
        },
      },
      "tasks/cancel": {
        run: async (params, ctx) => {
          const task = await find(params, ctx);
          if (hasEnded(task)) throw invalidParams(`taskId: the task has ended already (${task.status})`);
          const changed = await changeTask(store, task.id, (current) => ended(current, { status: "cancelled" }));
          return toCoreWire(changed ?? task);
        },
      },
    };
  }

  /** Blocks until the task has ended. Its client requests are sent on the stream of this request. */
  async #result(id: string, ctx: ExtensionContext): Promise<Json> {
    const channel = this.#channels.get(id);
    channel?.attach(ctx);
    // Without a channel the task runs in another process, which relays its client requests.
    const stopRelay = channel === undefined ? this.#registry.relaying?.readRelay(id, (text) => ctx.send(text)) : undefined;
    try {
      let task: TaskRecord | undefined;
      for await (task of followTask(this.#registry.store, id, ctx.signal));
      if (task === undefined) throw unknownTask();
      if (task.error !== undefined) throw new McpError(task.error.code, task.error.message, task.error.data);
      if (task.result === undefined) throw new McpError(INTERNAL_ERROR, "The task was cancelled.");
      const result = JSON.parse(task.result) as Json; // written by outcomeOf
      return { ...result, _meta: { ...(isObject(result._meta) ? result._meta : {}), [RELATED_TASK]: { taskId: id } } };
    } finally {
      stopRelay?.();
      channel?.release(ctx);
    }
  }
}

/** The requested time to live, at most that of the server. Throws -32602 on another type. */
function requestedTtl(task: unknown, maxMs: number): number {
  if (!isObject(task)) throw invalidParams("task: expected an object");
  const { ttl } = task;
  if (ttl === undefined || ttl === null) return maxMs;
  if (typeof ttl !== "number" || !Number.isFinite(ttl) || ttl < 0) throw invalidParams("task.ttl: expected milliseconds");
  return Math.min(Math.max(Math.round(ttl), MIN_TTL_MS), maxMs);
}
