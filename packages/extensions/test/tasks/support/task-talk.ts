// Conversations with the server with tasks, in memory and over HTTP: the same calls for both.
import { expect } from "vitest";
import { linkMemory } from "@oarlock/server-kit";
import { serveHttp, type HttpServer } from "@oarlock/server-kit/node";
import { isObject, type Json, type Wire } from "@oarlock/server-kit/protocol";
import type { TasksOptions } from "@oarlock/extensions/tasks";
import { asks, posting } from "../../../../server-kit/test/support/stateless-message.ts";
import { tasksServer } from "../fixtures/tasks-server.ts";

export const TASKS = "io.modelcontextprotocol/tasks";
export const WITH_TASKS: Json = { elicitation: {}, extensions: { [TASKS]: {} } };

/** Who sends a request. */
export interface Sender {
  /** Default: a client with tasks and elicitation. */
  capabilities?: Json;
  /** The caller (HTTP). */
  token?: string;
  progressToken?: string;
  logLevel?: string;
}

export abstract class TaskTalk implements AsyncDisposable {
  /** Everything that came outside of responses. */
  readonly notifications: Json[] = [];
  protected ids = 0;

  /** Sends a request; gives the whole response. */
  abstract send(method: string, params?: Json, sender?: Sender): Promise<Json>;
  /** Subscribes to tasks; gives the response when there is one before the acknowledgement. */
  abstract listen(taskIds: unknown, sender?: Sender): Promise<Json | undefined>;
  abstract [Symbol.asyncDispose](): Promise<void>;

  async result(method: string, params?: Json, sender?: Sender): Promise<Json> {
    const { result, error } = await this.send(method, params, sender);
    expect(error).toBeUndefined();
    return result as Json;
  }

  async error(method: string, params?: Json, sender?: Sender): Promise<Json> {
    const { result, error } = await this.send(method, params, sender);
    expect(result).toBeUndefined();
    return error as Json;
  }

  call(name: string, args: Json = {}, sender?: Sender): Promise<Json> {
    return this.result("tools/call", { name, arguments: args }, sender);
  }

  /** Calls a tool that answers with a task; gives its id. */
  async begin(name: string, args: Json = {}, sender?: Sender): Promise<string> {
    const { resultType, taskId } = await this.call(name, args, sender);
    expect(resultType).toBe("task");
    return String(taskId);
  }

  get(taskId: string, sender?: Sender): Promise<Json> {
    return this.result("tasks/get", { taskId }, sender);
  }

  /** Polls until the task has this status. */
  async until(taskId: string, status: string): Promise<Json> {
    let task: Json = {};
    await expect.poll(async () => (task = await this.get(taskId)).status, { interval: 10 }).toBe(status);
    return task;
  }

  release(name: string): Promise<Json> {
    return this.call("release", { name }, { token: "releaser" });
  }

  /** The notifications of a method so far. */
  heard(method: string): Json[] {
    return this.notifications.filter((message) => message.method === method).map(({ params }) => params as Json);
  }
}

class MemoryTalk extends TaskTalk {
  readonly #wire: Wire;
  readonly #pending = new Map<unknown, (response: Json) => void>();

  constructor(options: TasksOptions) {
    super();
    this.#wire = linkMemory(tasksServer(options));
    this.#wire.onText = (text) => {
      const message = JSON.parse(text) as Json;
      if (message.method === undefined) this.#pending.get(message.id)?.(message);
      else this.notifications.push(message);
    };
  }

  override send(method: string, params: Json = {}, { capabilities = WITH_TASKS, ...as }: Sender = {}): Promise<Json> {
    const id = `t${++this.ids}`;
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      this.#wire.send(JSON.stringify(asks(method, params, { ...as, id, capabilities })));
    });
  }

  override async listen(taskIds: unknown, sender?: Sender): Promise<Json | undefined> {
    const before = this.heard("notifications/subscriptions/acknowledged").length;
    const response = this.send("subscriptions/listen", { notifications: { taskIds } }, sender);
    const acknowledged = async (): Promise<undefined> => {
      await expect.poll(() => this.heard("notifications/subscriptions/acknowledged").length).toBeGreaterThan(before);
    };
    return Promise.race([response, acknowledged()]);
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.#wire.close();
  }
}

class HttpTalk extends TaskTalk {
  readonly #http: HttpServer;
  readonly #closing = new AbortController();

  private constructor(http: HttpServer) {
    super();
    this.#http = http;
  }

  /** Each bearer token is a caller of its own. */
  static async open(options: TasksOptions): Promise<HttpTalk> {
    const check = async (token: string) => ({ principal: token, scopes: ["*"], claims: {} });
    return new HttpTalk(await serveHttp(tasksServer(options), { port: 0, graceMs: 0, auth: { check } }));
  }

  #post(method: string, params: Json, { capabilities = WITH_TASKS, token = "caller", ...as }: Sender): Promise<Response> {
    const message = asks(method, params, { ...as, id: ++this.ids, capabilities });
    const { headers, body } = posting(message, { token });
    const signal = this.#closing.signal;
    return fetch(this.#http.url, { method: "POST", headers: headers as Record<string, string>, body: String(body), signal });
  }

  override async send(method: string, params: Json = {}, sender: Sender = {}): Promise<Json> {
    const response = await this.#post(method, params, sender);
    if (response.headers.get("content-type")?.startsWith("application/json") === true) return (await response.json()) as Json;
    const answer = await this.#read(response, ({ method: name }) => name === undefined);
    return answer ?? {};
  }

  /** Reads an event stream up to a message; notifications are kept. */
  async #read({ body }: Response, isLast: (message: Json) => boolean): Promise<Json | undefined> {
    let text = "";
    for await (const chunk of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) {
        const data = /^data: (.+)$/m.exec(event)?.[1];
        if (data === undefined) continue;
        const message = JSON.parse(data) as Json;
        if (message.method !== undefined) this.notifications.push(message);
        if (isLast(message)) return message;
      }
    }
    return undefined;
  }

  override async listen(taskIds: unknown, sender: Sender = {}): Promise<Json | undefined> {
    const before = this.heard("notifications/subscriptions/acknowledged").length;
    const response = await this.#post("subscriptions/listen", { notifications: { taskIds } }, sender);
    if (response.headers.get("content-type")?.startsWith("application/json") === true) return (await response.json()) as Json;
    void this.#read(response, () => false).catch(() => undefined);
    await expect.poll(() => this.heard("notifications/subscriptions/acknowledged").length).toBeGreaterThan(before);
    return undefined;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#http.stop();
  }
}

export const TRANSPORTS = {
  memory: async (options: TasksOptions = {}): Promise<TaskTalk> => new MemoryTalk(options),
  http: (options: TasksOptions = {}): Promise<TaskTalk> => HttpTalk.open(options),
};

/** The subscriptions that acknowledgements named. */
export const accepted = (talk: TaskTalk): unknown[] =>
  talk
    .heard("notifications/subscriptions/acknowledged")
    .map(({ notifications }) => (isObject(notifications) ? notifications.taskIds : undefined));
