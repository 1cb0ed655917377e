// One request on its way: what its handler is given, and its place in the in-flight table. Made for every request, so
// everything that most requests never touch is made on first use.
import { missingCapability, type ClientRequester, type ClientRequest } from "../requests/client-request.ts";
import type { InputRequests } from "../requests/input-requests.ts";
import type { Answer, InteractiveContext, Client, Elicitation, Log } from "../features/context.ts";
import type { Awaitable } from "../features/after.ts";
import { checkOf } from "../features/costly-values.ts";
import { formOf } from "../features/form.ts";
import { publish } from "../features/json-schema.ts";
import { severity } from "../features/logging.ts";
import { truncate, describeIssues, type Checked, type InferOutput, type Schema } from "../features/schema.ts";
import type { Auth } from "../protocol/auth.ts";
import type { Peer } from "../peer/peer.ts";
import { ToolError } from "../protocol/errors.ts";
import type { Revision } from "../revisions/index.ts";
import type { LogLevel, SampleRequest, SampleResult } from "../protocol/types.ts";
import { wrongMessages, wrongPreferences, wrongResult } from "../protocol/sampling.ts";
import { isObject, notificationText, type Id, type Json } from "../wire/json-rpc.ts";
import type { RequestAborted } from "./abort.ts";
import type { Channel } from "./channel.ts";
import type { CallHandler } from "./dispatch.ts";
import { ProgressThrottle } from "./progress-throttle.ts";

/** What a request needs of the connection that it came by. */
export interface RequestScope {
  readonly peer: Peer;
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal;
  readonly loggerName: string;
  /** Questions that one request may ask. */
  readonly maxClientRequests: number;
  /** Whether another log entry may go out now. */
  canLog(): boolean;
  /** Our own copy of what handlers log. */
  logLocally(level: LogLevel, data: unknown): void;
}

export class RequestContext implements InteractiveContext {
  readonly id: Id;
  readonly method: string;
  readonly params: Json;
  readonly channel: Channel;
  /** Names the request among those in flight: its id, where ids are of one client. */
  readonly key: unknown;
  /** What answers it; undefined for contexts that run no request (watches). */
  handler: CallHandler | undefined;
  /** When the time limit strikes, by `performance.now()`; 0 while it does not run. */
  deadline = 0;
  /** Started, and not only waiting for a place. */
  running = false;
  /** Questions under way; the time limit rests meanwhile. */
  pendingClientRequests = 0;
  /** Answered or cancelled: nothing more may be sent for this request. */
  done = false;
  readonly #home: RequestScope;
  #controller: AbortController | undefined;
  #stopped: RequestAborted | undefined;
  /** Ends the questions under way, with the request or before it. */
  #questions: AbortController | undefined;
  #progress: InteractiveContext["progress"] | undefined;
  #log: Log | undefined;
  #asked = 0;
  #kept: Map<string, unknown> | undefined;
  #making: Map<string, Promise<unknown>> | undefined;
  #answers: Record<string, unknown> | undefined;

  constructor(home: RequestScope, id: Id, method: string, params: Json, channel: Channel, key: unknown = id) {
    this.#home = home;
    this.id = id;
    this.key = key;
    this.method = method;
    this.params = params;
    this.channel = channel;
  }

  get revision(): Revision {
    return this.#home.peer.revision;
  }

  get auth(): Auth | undefined {
    return this.channel.auth;
  }

  /** Questions that wait for the request's next round; undefined where they are asked live, or nothing was asked. */
  get inputRequests(): InputRequests | undefined {
    return this.#home.peer.inputRequests;
  }

  get client(): Client {
    return this.#home.peer.client;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#stopped !== undefined) this.#controller.abort(this.#stopped);
    }
    return this.#controller.signal;
  }

  /** Tells the handler to stop. */
  stop(reason: RequestAborted): void {
    this.#stopped ??= reason;
    this.#controller?.abort(reason);
    this.#questions?.abort(reason);
  }

  /** From here on nothing more goes out. A question whose answer nobody waits for is taken back: its dialog would stay open. */
  finish(): void {
    this.done = true;
    this.#questions?.abort(new Error(ANSWERED));
  }

  // What follows is made on first use and needs no `this`, so that a handler may take it out of ctx: `{ progress, elicit }`.

  get progress(): InteractiveContext["progress"] {
    return (this.#progress ??= this.#makeProgress());
  }

  #makeProgress(): InteractiveContext["progress"] {
    const meta = this.params._meta;
    const token = isObject(meta) ? meta.progressToken : undefined;
    // A number that JavaScript has rounded could not be given back as it came.
    if (typeof token !== "string" && !Number.isSafeInteger(token)) return () => undefined;
    const pace = new ProgressThrottle((params) => {
      const said = this.revision.encodeParams("notifications/progress", { progressToken: token, ...params });
      this.channel.notify(notificationText("notifications/progress", said));
    });
    return (done, total, message) => {
      if (!this.done) pace.step(done, total, message);
    };
  }

  get log(): Log {
    this.#log ??= {
      debug: (data) => this.#say("debug", data),
      info: (data) => this.#say("info", data),
      notice: (data) => this.#say("notice", data),
      warning: (data) => this.#say("warning", data),
      error: (data) => this.#say("error", data),
    };
    return this.#log;
  }

  #say(level: LogLevel, data: unknown): void {
    this.#home.logLocally(level, data);
    if (this.done || severity(level) < this.#home.peer.minSeverity || !this.#home.canLog()) return;
    this.channel.notify(notificationText("notifications/message", { level, logger: this.#home.loggerName, data: sayable(data) }));
  }

  get elicit(): InteractiveContext["elicit"] {
    return (question) => quiet(this.#elicit(question));
  }

  get elicitUrl(): InteractiveContext["elicitUrl"] {
    return (question) => quiet(this.#elicitUrl(question));
  }

  get sample(): InteractiveContext["sample"] {
    return (request) => quiet(this.#sample(request));
  }

  get roots(): InteractiveContext["roots"] {
    return () => {
      const { peer, signal } = this.#home;
      return quiet(this.#waiting(peer.roots(this.#asker(), signal)));
    };
  }

  get answers(): Record<string, unknown> {
    return (this.#answers ??= {});
  }

  get once(): InteractiveContext["once"] {
    return async <T>(key: string, make: () => Awaitable<T>): Promise<T> => {
      const kept = (this.#kept ??= this.#home.peer.requester(() => undefined).onceValues ?? new Map<string, unknown>());
      if (kept.has(key)) return kept.get(key) as T; // made under this key
      const making = (this.#making ??= new Map<string, Promise<unknown>>());
      let made = making.get(key) as Promise<T> | undefined;
      if (made === undefined) {
        // As it will come back in the next round, so that all rounds see the same. What is not made by then is made again.
        made = Promise.resolve(make()).then((value) => {
          const text = JSON.stringify(value);
          if (text === undefined) throw new TypeError(`ctx.once("${key}") keeps what JSON can hold`);
          kept.set(key, JSON.parse(text));
          return kept.get(key) as T;
        });
        making.set(key, made);
      }
      return made;
    };
  }

  async #elicit<S extends Schema>({ message, schema, key }: Elicitation<S>): Promise<Answer<InferOutput<S>>> {
    if (!this.client.can("elicit")) throw missingCapability("elicit");
    const params = { mode: "form", message, requestedSchema: formOf(schema) };
    const { action, content } = await this.#ask({
      method: "elicitation/create",
      params,
      requires: "elicit",
      ...(key !== undefined && { key }),
    });
    if (action !== "accept") return { action: refusal(action) };
    const published = publish(schema, "input", { owner: "a question to the user", strictHosts: true });
    const checked = (await checkOf(schema, published)(content)) as Checked<InferOutput<S>>; // the schema's own
    if (checked.issues !== undefined)
      throw new ToolError(`The user's answer does not fit the question:\n${describeIssues(checked.issues)}`);
    return { action, content: checked.value };
  }

  async #elicitUrl({ message, url, key }: { message: string; url: string; key?: string }): Promise<Answer<undefined>> {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw new TypeError("a question by URL needs an absolute http(s) address");
    const params = { mode: "url", message, url };
    const { action } = await this.#ask({ method: "elicitation/create", params, requires: "elicit.url", ...(key !== undefined && { key }) });
    return action === "accept" ? { action, content: undefined } : { action: refusal(action) };
  }

  async #sample(request: SampleRequest & { key?: string }): Promise<SampleResult> {
    const { includeContext, key, ...params } = request;
    const { peer } = this.#home;
    const wrong = wrongMessages(request.messages) ?? wrongPreferences(request.modelPreferences);
    if (wrong !== undefined) throw new TypeError(`a question to the model: ${wrong}`);
    if ((request.tools !== undefined || request.toolChoice !== undefined) && !peer.supports("sample.tools"))
      throw missingCapability("sample.tools");
    // Context of other servers only where the client declared that it can give it.
    const shared = includeContext !== undefined && (includeContext === "none" || peer.supports("sample.context")) ? { includeContext } : {};
    const result = await this.#ask({
      method: "sampling/createMessage",
      params: { ...params, ...shared },
      requires: "sample",
      ...(key !== undefined && { key }),
    });
    if (wrongResult(result, !peer.revision.facts.sampleTools) !== undefined)
      throw new ToolError("The client's model gave no usable answer");
    return result as unknown as SampleResult; // role, content and model are as they should be
  }

  #ask(question: ClientRequest): Promise<Json> {
    if (++this.#asked > this.#home.maxClientRequests)
      return Promise.reject(new ToolError(`More than ${this.#home.maxClientRequests} questions in one request`));
    if (this.#questions === undefined) {
      this.#questions = new AbortController();
      if (this.#stopped !== undefined) this.#questions.abort(this.#stopped);
    }
    return this.#waiting(this.#asker().requestFromClient(question, this.#questions.signal));
  }

  /** Work that a handler left behind may still ask; but what belongs to no request any more may not go out. */
  #asker(): ClientRequester {
    const asker = this.#home.peer.requester((text) => this.channel.notify(text));
    return {
      requestFromClient: (question, signal) =>
        this.done && this.inputRequests === undefined
          ? Promise.reject(this.#stopped ?? new Error(ANSWERED))
          : asker.requestFromClient(question, signal),
    };
  }

  async #waiting<T>(answer: Promise<T>): Promise<T> {
    this.pendingClientRequests++;
    const before = performance.now();
    try {
      return await answer;
    } finally {
      this.pendingClientRequests--;
      if (this.deadline !== 0) this.deadline += performance.now() - before;
    }
  }
}

const ANSWERED = "The request has been answered: nobody can be asked for it any more";

/** A question that unwinds its handler may be left behind by it: nobody needs to hear that it failed. */
function quiet<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined);
  return answer;
}

/** Longest entry that goes out whole. */
const LONGEST_LOG = 64 * 1024;

/** Data as JSON can hold it: a handler's log line never breaks its work. */
function sayable(data: unknown): unknown {
  try {
    const text = JSON.stringify(data);
    if (text === undefined) return `[${typeof data}]`;
    return text.length <= LONGEST_LOG ? data : truncate(text, LONGEST_LOG);
  } catch {
    return "[log data that JSON cannot hold]";
  }
}

function refusal(action: unknown): "decline" | "cancel" {
  return action === "decline" ? "decline" : "cancel";
}
