// The requests that a handler sends to its client: elicitation, sampling, roots; and values that outlive a round of them.
import type { Awaitable } from "../../features/awaitable.ts";
import type { Answer, Elicitation, InteractiveContext } from "../../features/context.ts";
import { formOf } from "../../features/schema/form.ts";
import { describeIssues, type InferOutput, type Schema } from "../../features/schema/schema.ts";
import type { Peer } from "../../peer/peer.ts";
import { ToolError } from "../../protocol/errors.ts";
import { wrongMessages, wrongPreferences, wrongResult } from "../../protocol/sampling.ts";
import type { TraceContext } from "../../protocol/trace.ts";
import type { Root, SampleRequest, SampleResult } from "../../protocol/types.ts";
import { missingCapability, type ClientRequest, type ClientRequester } from "../../peer/client-request.ts";
import type { Json } from "../../wire/json-rpc.ts";
import type { Runtime } from "../runtime.ts";

/** The request whose handler sends client requests. */
interface OwnRequest {
  readonly trace: TraceContext | undefined;
  /** When its time limit strikes, by `performance.now()`; 0 while it does not run. */
  deadline: number;
  readonly isDone: boolean;
  readonly mayChange: boolean;
  readonly onPendingClientRequests: ((pending: number) => void) | undefined;
  /** Sends on the request's own way to the client. */
  send(text: string): void;
}

type Methods = Pick<InteractiveContext, "elicit" | "elicitUrl" | "sample" | "roots" | "once">;

/** Its methods need no `this`, so that a handler may take them out of its context: `{ elicit }`. */
export class ClientRequests implements Methods {
  readonly #runtime: Runtime;
  readonly #peer: Peer;
  readonly #request: OwnRequest;
  /** Aborts the pending client requests, with the request or before it. */
  readonly #controller = new AbortController();
  readonly #once = new Map<string, Promise<unknown>>();
  #sent = 0;
  /** Client requests without a response; the time limit rests meanwhile. */
  pending = 0;
  #onceValues: Map<string, unknown> | undefined;
  /** Set once a confirmation of this call is used. */
  #confirmation: { readonly callId: string; readonly isFirst: Promise<boolean> } | undefined;

  constructor(runtime: Runtime, peer: Peer, request: OwnRequest) {
    this.#runtime = runtime;
    this.#peer = peer;
    this.#request = request;
  }

  /** Cancels the pending client requests, so that no dialog stays open without anybody waiting for it. */
  cancel(reason: Error): void {
    this.#controller.abort(reason);
  }

  elicit = <S extends Schema>(elicitation: Elicitation<S>): Promise<Answer<InferOutput<S>>> => ignorable(this.#elicit(elicitation));
  elicitUrl: Methods["elicitUrl"] = (elicitation) => ignorable(this.#elicitUrl(elicitation));
  sample: Methods["sample"] = (request) => ignorable(this.#sample(request));
  roots = (): Promise<readonly Root[]> => ignorable(this.#awaiting(this.#peer.roots(this.#requester())));

  once = async <T>(key: string, make: () => Awaitable<T>): Promise<T> => {
    const values = (this.#onceValues ??= this.#peer.requester(() => undefined).onceValues ?? new Map<string, unknown>());
    if (values.has(key)) return values.get(key) as T; // made under this key
    let making = this.#once.get(key) as Promise<T> | undefined; // made under this key
    if (making === undefined) {
      making = Promise.resolve(make()).then((value) => {
        const text = JSON.stringify(value);
        if (text === undefined) throw new TypeError(`ctx.once("${key}") returned a value that JSON cannot hold.`);
        // Parsed, as the next round will see it, so that all rounds see the same.
        const kept = JSON.parse(text) as T; // written one line above
        values.set(key, kept);
        return kept;
      });
      this.#once.set(key, making);
    }
    return making;
  };

  /** The call ends with further client requests: its confirmations count again in the next round. */
  async releaseConfirmation(): Promise<void> {
    const used = this.#confirmation;
    if (used !== undefined && (await used.isFirst)) await this.#runtime.usedConfirmations.release(used.callId);
  }

  async #useConfirmation(): Promise<void> {
    const callId = this.#peer.inputRequests?.callId;
    // Without an id the answer came while the call was running.
    if (callId === undefined) return;
    this.#confirmation ??= { callId, isFirst: this.#runtime.usedConfirmations.take(callId) };
    if (!(await this.#confirmation.isFirst))
      throw new ToolError("The confirmation of this call was used already: it counts once. Send the call again to ask the user anew.");
  }

  async #elicit<S extends Schema>({ message, schema, key, singleUse }: Elicitation<S>): Promise<Answer<InferOutput<S>>> {
    if (!this.#peer.client.can("elicit")) throw missingCapability("elicit");
    const params = { mode: "form", message, requestedSchema: formOf(schema) };
    const { action, content } = await this.#send({ method: "elicitation/create", params, requires: "elicit" }, key);
    if (action !== "accept") return { action: refusal(action) };
    if (singleUse === true) await this.#useConfirmation();
    const checked = await schema["~standard"].validate(content);
    if (checked.issues !== undefined)
      throw new ToolError(`The user's answer does not fit the question:\n${describeIssues(checked.issues)}`);
    return { action, content: checked.value as InferOutput<S> }; // the schema's own output
  }

  async #elicitUrl({ message, url, key }: { message: string; url: string; key?: string }): Promise<Answer<undefined>> {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
      throw new TypeError(`Elicitation URL "${url}" is invalid: expected an absolute http(s) address.`);
    const params = { mode: "url", message, url };
    const { action } = await this.#send({ method: "elicitation/create", params, requires: "elicit.url" }, key);
    return action === "accept" ? { action, content: undefined } : { action: refusal(action) };
  }

  async #sample({ includeContext, key, ...params }: SampleRequest & { key?: string }): Promise<SampleResult> {
    const wrong = wrongMessages(params.messages) ?? wrongPreferences(params.modelPreferences);
    if (wrong !== undefined) throw new TypeError(`Sampling request is invalid: ${wrong}.`);
    const usesTools = params.tools !== undefined || params.toolChoice !== undefined;
    if (usesTools && !this.#peer.client.can("sample.tools")) throw missingCapability("sample.tools");
    // Context of other servers only when the client declared that it can give it.
    const canInclude = includeContext === "none" || this.#peer.client.can("sample.context");
    const context = includeContext !== undefined && canInclude ? { includeContext } : {};
    const request: ClientRequest = { method: "sampling/createMessage", params: { ...params, ...context }, requires: "sample" };
    const result = await this.#send(request, key);
    if (wrongResult(result, !this.#peer.revision.facts.sampleTools) !== undefined)
      throw new ToolError("The client's model returned an invalid message.");
    return result as unknown as SampleResult; // wrongResult has checked role, content and model
  }

  #send(request: ClientRequest, key: string | undefined): Promise<Json> {
    const max = this.#runtime.limits.clientRequests;
    if (++this.#sent > max) return Promise.reject(new ToolError(`Too many client requests: one request may send ${max}.`));
    const { mayChange } = this.#request;
    const named = key === undefined ? { ...request, mayChange } : { ...request, mayChange, key };
    return this.#awaiting(this.#requester().requestFromClient(named, this.#controller.signal));
  }

  /** Work that a handler left behind may go on, but sends nothing once its request has ended. */
  #requester(): ClientRequester {
    const requester = this.#peer.requester((text) => this.#request.send(text));
    const { trace } = this.#request;
    const ended = (): boolean => this.#request.isDone && this.#peer.inputRequests === undefined;
    return {
      requestFromClient: (request, signal) =>
        ended() ? Promise.reject(abortReason(this.#controller.signal)) : requester.requestFromClient({ ...request, trace }, signal),
    };
  }

  async #awaiting<T>(response: Promise<T>): Promise<T> {
    this.pending++;
    this.#request.onPendingClientRequests?.(this.pending);
    const before = performance.now();
    try {
      return await response;
    } finally {
      this.pending--;
      this.#request.onPendingClientRequests?.(this.pending);
      if (this.#request.deadline !== 0) this.#request.deadline += performance.now() - before;
    }
  }
}

/** Why a client request cannot be sent any more. */
export const requestEnded = (): Error => new Error("The request has been answered: no client request can be sent for it any more.");

const abortReason = ({ reason }: AbortSignal): Error => (reason instanceof Error ? reason : requestEnded());

/** A handler that is unwound by a client request may leave the promise behind: its rejection must not end the process. */
function ignorable<T>(response: Promise<T>): Promise<T> {
  response.catch(() => undefined);
  return response;
}

const refusal = (action: unknown): "decline" | "cancel" => (action === "decline" ? "decline" : "cancel");
