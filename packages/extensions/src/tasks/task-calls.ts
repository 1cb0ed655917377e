// TaskCalls: answers calls that take long with a task, while their handler goes on.
import { type CallHandler, McpError } from "@oarlock/server-kit";
import {
  type ExtensionContext,
  type ExtensionHandler,
  isPromise,
  missingExtension,
  TOO_MANY_REQUESTS,
} from "@oarlock/server-kit/extension";
import type { Json } from "@oarlock/server-kit/protocol";
import { TASKS, toWire } from "./task-messages.ts";
import { newTask, ownerOfPrincipal, type TaskRecord } from "./task-record.ts";
import { callMode, taskModeOf } from "./task-mode.ts";
import type { TaskRegistry } from "./task-registry.ts";

export class TaskCalls {
  readonly #registry: TaskRegistry;
  readonly #afterMs: number;

  /** `afterMs`: for tools without a mode of their own; 0 never. */
  constructor(registry: TaskRegistry, afterMs: number) {
    this.#registry = registry;
    this.#afterMs = afterMs === 0 ? Infinity : afterMs;
  }

  /** The handler of `tools/call` that answers with tasks. */
  handler(next: CallHandler): ExtensionHandler {
    return { ...next, run: (params, ctx) => this.#run(next, params, ctx) };
  }

  /** A call of a client without tasks passes through; so does one that ends in the same turn. */
  #run(next: CallHandler, params: Json, ctx: ExtensionContext): ReturnType<CallHandler["run"]> {
    const { afterMs, isRequired } = callMode(taskModeOf(this.#registry.toolOf(params)), this.#afterMs);
    if (ctx.client.extension(TASKS) === undefined) {
      if (isRequired) throw missingExtension(TASKS);
      return next.run(params, ctx);
    }
    if (afterMs === Infinity) return next.run(params, ctx);
    if (afterMs === 0) return this.#begin(next, params, ctx, isRequired);
    const returned = next.run(params, ctx);
    return isPromise(returned) ? this.#race(ctx, returned as PromiseLike<object>, afterMs) : returned;
  }

  /** A call that is a task from the beginning. */
  async #begin(next: CallHandler, params: Json, ctx: ExtensionContext, isRequired: boolean): Promise<object> {
    const started = Promise.withResolvers<object>();
    started.promise.catch(() => undefined);
    const task = await this.#create(ctx, started.promise);
    if (task === undefined && isRequired) throw new McpError(TOO_MANY_REQUESTS, "Server busy: too many tasks. Retry later.");
    const run = async (): Promise<object> => next.run(params, ctx);
    if (task === undefined) return run();
    started.resolve(run());
    return createResult(task);
  }

  /** The result of a call, or after the time a task. One timer is all that a call in time costs. */
  #race(ctx: ExtensionContext, returned: PromiseLike<object>, afterMs: number): Promise<object> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve(this.#promote(ctx, returned)), afterMs);
      const settle = (done: () => void): void => {
        clearTimeout(timer);
        done();
      };
      returned.then(
        (result) => settle(() => resolve(result)),
        (error: unknown) => settle(() => reject(error instanceof Error ? error : new Error("failed", { cause: error }))),
      );
    });
  }

  /** Not while the call waits for a round of input requests: these come first. */
  async #promote(ctx: ExtensionContext, returned: PromiseLike<object>): Promise<object> {
    if (ctx.isDone || ctx.awaitsInput) return returned;
    const task = await this.#create(ctx, returned);
    return task === undefined ? returned : createResult(task);
  }

  /** Undefined when the store is full or the caller has too many tasks: the call then goes on without one. */
  async #create(ctx: ExtensionContext, returned: PromiseLike<object>): Promise<TaskRecord | undefined> {
    const registry = this.#registry;
    const task = newTask(ownerOf(ctx), { ttlMs: registry.ttlMs, mayChange: ctx.mayChange });
    if (!registry.hasRoom(task.owner)) return undefined;
    const creating = registry.create(task);
    ctx.detach(async (key, request) => ((await creating) ? registry.running(task.id)?.requestInput(key, request) : undefined));
    if (await creating) {
      registry.follow(task, ctx, returned);
      return task;
    }
    ctx.attach();
    return undefined;
  }
}

/** The owner of the tasks of a stateless request. */
export const ownerOf = ({ auth }: Pick<ExtensionContext, "auth">): string => ownerOfPrincipal(auth?.principal ?? "");

const createResult = (task: TaskRecord): Json => ({ resultType: "task", ...toWire(task), ttlMs: task.ttlMs });
