// The JSON-RPC of one connection, from the client's end: what we asked and wait for, and what we are asked.
// https://modelcontextprotocol.io/specification/2025-11-25/basic (messages, cancellation, progress)
import {
  errorText,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isId,
  isObject,
  kindOf,
  McpError,
  notificationText,
  requestText,
  resultText,
  type Id,
  type Json,
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
} from "@oarlock/server-kit/protocol";
import type { Carrier, Outgoing } from "./transport.ts";
import { asError, BadAnswer, Closed, TimedOut } from "../errors.ts";
import { Waiting, withToken, type RequestOptions } from "./pending-request.ts";

export interface LinkSpec {
  /** Defaults for requests that say nothing else. */
  timeoutMs: number;
  maxTotalMs: number;
  /** Answers what the server asks; throws `McpError` for an error of its own choice. */
  answer(method: string, params: Json, signal: AbortSignal): Promise<Json> | Json;
  notified(method: string, params: Json): void;
  closed(reason: Closed): void;
  onWire?: ((direction: "sent" | "received", text: string) => void) | undefined;
  onFault?: ((what: string) => void) | undefined;
}

/** What only the client itself says of a request. */
export interface Asking extends RequestOptions {
  /** Go beside it where there are headers. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Giving it up is not told, and a late answer is no surprise. */
  quiet?: boolean;
  /** Called before it leaves. */
  leaves?(id: Id): void;
}

type Reply = (text: string | undefined) => void;

/** Most questions of one server under way at once; more are refused. */
const MOST_QUESTIONS = 100;

export class Link {
  /** Arrays of messages are part of the negotiated revision. */
  batches = false;
  /** The server may ask us by requests of its own. */
  answers = true;
  readonly #wire: Carrier;
  readonly #spec: LinkSpec;
  readonly #waiting = new Map<Id, Waiting>();
  readonly #answering = new Map<Id, AbortController>();
  /** Given up without a word. */
  readonly #dropped = new Set<Id>();
  /** Ids are never used twice on one connection. */
  #next = 1;
  #ended: Closed | undefined;

  constructor(wire: Carrier, spec: LinkSpec) {
    this.#wire = wire;
    this.#spec = spec;
    wire.onLost = (id, error) => this.#waiting.get(id)?.spec.reject(error);
    wire.onText = (text) => this.#received(text);
    wire.onClose = (error) => this.#end(new Closed(error?.message ?? "The connection was closed", error));
  }

  get ended(): Closed | undefined {
    return this.#ended;
  }

  // ── out ───────────────────────────────────────────────────────────────────────────────────────────────────────────

  request(method: string, params?: Json, options: Asking = {}): Promise<Json> {
    const { signal, onProgress, quiet = false, headers } = options;
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    if (signal?.aborted === true) return Promise.reject(asError(signal.reason));
    const id = this.#next++;
    return new Promise<Json>((resolve, reject) => {
      const settle = (act: () => void, givenUp = false): void => {
        if (!this.#waiting.delete(id)) return;
        waiting.stop();
        signal?.removeEventListener("abort", aborted);
        this.#wire.over?.(id, givenUp);
        act();
      };
      const giveUp = (error: Error): void =>
        settle(() => {
          if (quiet) this.#dropped.add(id);
          // Where closing cancels, the wire has done it.
          else if (this.#wire.alone !== true) this.notify("notifications/cancelled", { requestId: id, reason: error.message });
          reject(error);
        }, true);
      const aborted = (): void => giveUp(asError(signal?.reason));
      const waiting = new Waiting({
        timeoutMs: options.timeoutMs ?? this.#spec.timeoutMs,
        maxTotalMs: options.maxTotalMs ?? this.#spec.maxTotalMs,
        onProgress,
        resting: () => this.#answering.size > 0,
        late: (afterMs, total) => giveUp(new TimedOut(method, afterMs, total)),
        resolve: (result) => settle(() => resolve(result)),
        reject: (error) => settle(() => reject(error)),
      });
      this.#waiting.set(id, waiting);
      signal?.addEventListener("abort", aborted);
      options.leaves?.(id);
      const said = onProgress === undefined ? params : withToken(params, id);
      this.#send(requestText(id, method, said), { id, method, params: said, headers });
    });
  }

  notify(method: string, params?: Json): void {
    if (this.#ended === undefined) this.#send(notificationText(method, params), { method });
  }

  /** Ends the connection calmly; whatever waits is rejected first. */
  async close(reason = "The client closed the connection"): Promise<void> {
    this.#end(new Closed(reason));
    await this.#wire.close();
  }

  #send(text: string, what: Outgoing = {}): void {
    if (this.#ended !== undefined) return;
    this.#spec.onWire?.("sent", text);
    this.#wire.send(text, what);
  }

  #end(reason: Closed): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    for (const waiting of [...this.#waiting.values()]) waiting.spec.reject(reason);
    this.dropQuestions(reason);
    this.#spec.closed(reason);
  }

  /** Whoever asked has forgotten it: what we are asked is aborted, and not answered. */
  dropQuestions(reason: Error): void {
    for (const controller of this.#answering.values()) controller.abort(reason);
    this.#answering.clear();
  }

  // ── in ────────────────────────────────────────────────────────────────────────────────────────────────────────────

  #received(text: string): void {
    this.#spec.onWire?.("received", text);
    if (this.#ended !== undefined) return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // Programs print to stdout by mistake; that is no reason to end, and an answer would find nobody.
      return this.#spec.onFault?.(`not JSON: ${text.slice(0, 200)}`);
    }
    if (Array.isArray(value)) this.#batch(value);
    else this.#message(value, (answer) => answer !== undefined && this.#send(answer));
  }

  /** `reply` takes the answer to a request; undefined when it was cancelled. */
  #message(value: unknown, reply: Reply): void {
    // kindOf has checked the members that the casts below rely on.
    switch (kindOf(value)) {
      case "request":
        return this.#asked(value as RequestMessage, reply);
      case "notification":
        return this.#notified(value as NotificationMessage);
      case "response":
        return this.#answered(value as ResponseMessage);
      case "bad-params":
        if (!this.answers) return this.#spec.onFault?.("a request of the server, which this revision does not have");
        return reply(errorText((value as RequestMessage).id, { code: INVALID_PARAMS, message: "params: expected an object" }));
      case "ignored":
      case "invalid":
        return this.#spec.onFault?.(`not a message we can use: ${JSON.stringify(value).slice(0, 200)}`);
    }
  }

  /** Answers to the requests in an array go back in one array (2025-03-26 only). */
  #batch(messages: readonly unknown[]): void {
    if (!this.batches) return this.#spec.onFault?.("an array of messages, which this revision does not have");
    if (messages.length === 0) return this.#send(errorText(null, { code: INVALID_REQUEST, message: "Invalid Request: empty batch" }));
    let open = messages.filter((message) => ["request", "bad-params"].includes(kindOf(message))).length;
    const answers: string[] = [];
    const reply: Reply = (text) => {
      if (text !== undefined) answers.push(text);
      if (--open === 0 && answers.length > 0) this.#send(`[${answers.join(",")}]`);
    };
    for (const message of messages) this.#message(message, reply);
  }

  #answered({ id, result, error }: ResponseMessage): void {
    const waiting = this.#waiting.get(id);
    // Late, as after a cancel, or never asked for: nothing to do but to say so.
    if (waiting === undefined)
      return this.#dropped.delete(id) ? undefined : this.#spec.onFault?.(`an answer that nobody waits for: id ${JSON.stringify(id)}`);
    const { resolve, reject } = waiting.spec;
    if (isObject(error)) {
      const { code, message, data }: Json = error;
      const whole = Number.isInteger(code) && typeof message === "string";
      if (!whole) this.#spec.onFault?.("an error without an integer code and a text");
      reject(
        new McpError(Number.isInteger(code) ? Number(code) : INTERNAL_ERROR, typeof message === "string" ? message : "No message", data),
      );
    } else if (isObject(result)) resolve(result);
    else reject(new BadAnswer("The server's result is no object"));
  }

  #notified({ method, params = {} }: NotificationMessage): void {
    if (method === "notifications/progress" && isId(params.progressToken)) this.#waiting.get(params.progressToken)?.progress(params);
    if (method === "notifications/cancelled" && isId(params.requestId)) {
      const controller = this.#answering.get(params.requestId);
      this.#answering.delete(params.requestId);
      controller?.abort(new Error(typeof params.reason === "string" ? params.reason : "cancelled by the server"));
    }
    this.#spec.notified(method, params);
  }

  #asked({ id, method, params = {} }: RequestMessage, reply: Reply): void {
    if (!this.answers) return this.#spec.onFault?.(`a request of the server, which this revision does not have: ${method}`);
    if (method === "ping") return reply(resultText(id, "{}"));
    if (this.#answering.has(id)) return reply(errorText(id, { code: INVALID_REQUEST, message: "This id is in use" }));
    if (this.#answering.size >= MOST_QUESTIONS)
      return reply(errorText(id, { code: INTERNAL_ERROR, message: "Too many questions at once" }));
    const controller = new AbortController();
    this.#answering.set(id, controller);
    void this.#answerText(id, method, params, controller.signal).then((text) => {
      // Taken off the table in between: cancelled, so there is no answer.
      const open = this.#answering.get(id) === controller;
      if (open) this.#answering.delete(id);
      reply(open ? text : undefined);
    });
  }

  async #answerText(id: Id, method: string, params: Json, signal: AbortSignal): Promise<string> {
    try {
      return resultText(id, JSON.stringify(await this.#spec.answer(method, params, signal)));
    } catch (error) {
      if (error instanceof McpError) {
        const { code, message, data } = error;
        return errorText(id, { code, message, ...(data !== undefined && { data }) });
      }
      this.#spec.onFault?.(`our own handler of ${method} failed: ${asError(error).message}`);
      return errorText(id, { code: INTERNAL_ERROR, message: "Internal error" });
    }
  }
}
