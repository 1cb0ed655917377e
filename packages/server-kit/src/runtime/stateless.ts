// Stateless: answers requests of the stateless era (newest revision). The envelope of a request describes its client; nothing is kept.
// https://modelcontextprotocol.io/specification/2026-07-28/basic
import { severity } from "../features/logging.ts";
import { StatelessPeer } from "../peer/stateless-peer.ts";
import { TokenBucket } from "../peer/token-bucket.ts";
import { invalidParams, McpError, methodNotFound, TOO_MANY_REQUESTS } from "../protocol/errors.ts";
import { readEnvelope, type Envelope } from "../protocol/meta.ts";
import { bindingOf, openRequestState, readInputResponses } from "../peer/request-state.ts";
import { find, REVISIONS } from "../revisions/index.ts";
import type { RequestMessage } from "../wire/json-rpc.ts";
import { RATE_EXCEEDED } from "./limits.ts";
import { completeWithError, type Channel } from "./request/channel.ts";
import { RequestContext, type RequestDetails } from "./request/context.ts";
import { answerList } from "./request/list-response.ts";
import { endOfError, type Observation } from "./request/observer.ts";
import { handlerFor, isListHandler, NO_HANDLER, type CallHandler } from "./request/request-handler.ts";
import type { Runner } from "./request/runner.ts";
import type { Runtime } from "./runtime.ts";
import { LISTEN, SubscriptionStream } from "./subscription-stream.ts";

/** Requests whose result may be a list of input requests. */
const MAY_REQUEST_INPUT = new Set(["tools/call", "prompts/get", "resources/read"]);

const UNSUPPORTED_VERSION = -32022;

/** Longest id and params of a subscription, in characters of JSON: they are kept as long as it is open. */
const MAX_LISTEN_LENGTH = 256 * 1024;

const LISTEN_TOO_LONG = invalidParams(
  `Subscription too long: expected at most ${MAX_LISTEN_LENGTH} characters of params. Open several subscriptions.`,
);

export interface StatelessOptions {
  runtime: Runtime;
  runner: Runner;
  /** Takes one tool call from the rate limit of a pipe; false when the limit is reached. Default: the transport has counted it. */
  mayCall?(): boolean;
  maxStreams: number;
  /** True on a pipe, which serves one client and announces the end of a subscription; over HTTP its stream just ends. */
  isPipe: boolean;
}

export class Stateless {
  readonly #options: StatelessOptions;
  /** On a pipe the log entries of all requests share one rate limit. */
  readonly #logs: TokenBucket | undefined;
  readonly #streams = new Map<unknown, SubscriptionStream>();
  /** The variants of the list of tools that were sent on this pipe. Over HTTP any client may have sent the next request. */
  readonly #listedTools = new Set<string>();

  constructor(options: StatelessOptions) {
    this.#options = options;
    this.#logs = options.isPipe ? new TokenBucket(options.runtime.limits.logsPerSecond) : undefined;
  }

  /** The peer that sends a request with this envelope. Throws -32022 on a revision of another era. */
  open(envelope: Envelope): StatelessPeer {
    const revision = find(envelope.version);
    if (revision?.facts.era !== "stateless") {
      const data = { supported: REVISIONS, requested: envelope.version };
      throw new McpError(UNSUPPORTED_VERSION, "Unsupported protocol version", data);
    }
    const minSeverity = envelope.logLevel === undefined ? Infinity : severity(envelope.logLevel);
    const peer = new StatelessPeer(envelope, revision, minSeverity, this.#options.runtime.table(revision).extensionIds);
    peer.logs = this.#logs;
    return peer;
  }

  has(key: unknown): boolean {
    return this.#streams.has(key);
  }

  /** Answers a request of a pipe, also when its envelope is invalid. */
  handle(request: RequestMessage, channel: Channel): void {
    try {
      this.run(request, this.open(readEnvelope(request.params ?? {})), channel);
    } catch (error) {
      completeWithError(channel, request.id, error, this.#options.runtime.report);
    }
  }

  /** Answers a request. `key` names it among those in flight. */
  run(request: RequestMessage, peer: StatelessPeer, channel: Channel, key: unknown = request.id): void {
    const { runtime, runner, mayCall, isPipe } = this.#options;
    const { id, method, params = {} } = request;
    const { revision } = peer;
    if (method === LISTEN) {
      if (JSON.stringify([id, params]).length > MAX_LISTEN_LENGTH) return completeWithError(channel, id, LISTEN_TOO_LONG, runtime.report);
      peer.minSeverity = Infinity; // what is sent here are the notifications of the subscription
      const details = { id, method, params: { notifications: params.notifications }, channel, handler: NO_HANDLER };
      return void this.#subscribe(new RequestContext(runtime, peer, details), key, runtime.observe({ id, method, revision }, params));
    }
    const table = runtime.table(revision);
    const handler = handlerFor(table.handlers.get(method), channel);
    if (handler === undefined) return completeWithError(channel, id, methodNotFound(), runtime.report);
    if (isPipe && method === "tools/list") this.#listedTools.add(table.listVariant(peer.client));
    peer.hasToolList = this.#listedTools.has(table.listVariant(peer.client));
    if (isListHandler(handler)) return answerList(runtime, peer, request, handler, channel);
    peer.canRequestInput = MAY_REQUEST_INPUT.has(method);
    const isResumed = peer.canRequestInput && (params.requestState !== undefined || params.inputResponses !== undefined);
    const details: RequestDetails = {
      id,
      key,
      method,
      params: revision.decodeParams(method, params),
      channel,
      handler: isResumed ? this.#resuming(handler, peer, method, channel) : handler,
    };
    const ctx = new RequestContext(runtime, peer, details);
    if (method === "tools/call" && mayCall?.() === false) runner.refuse(ctx, RATE_EXCEEDED);
    else runner.run(ctx);
  }

  /** The handler, run after the state of earlier rounds was restored. */
  #resuming(handler: CallHandler, peer: StatelessPeer, method: string, { auth }: Channel): CallHandler {
    const { server, sealing } = this.#options.runtime;
    return {
      ...handler,
      async run(params, ctx) {
        const binding = bindingOf(method, params, auth?.principal, peer.revision.id, server.info.name);
        const responses = readInputResponses(params.inputResponses);
        peer.resume(await openRequestState(params.requestState, binding, sealing), responses);
        return handler.run(params, ctx);
      },
    };
  }

  /** A subscription counts as ended for telemetry once it is acknowledged: it may stay open for days. */
  async #subscribe(ctx: RequestContext, key: unknown, observation: Observation | undefined): Promise<void> {
    const { runtime, maxStreams, isPipe } = this.#options;
    try {
      if (this.#streams.size >= maxStreams)
        throw new McpError(TOO_MANY_REQUESTS, `Too many subscription streams: at most ${maxStreams} at the same time.`);
      const stream = new SubscriptionStream(runtime, ctx, isPipe, () => this.#streams.delete(key));
      this.#streams.set(key, stream);
      await stream.start();
      observation?.ended({ outcome: "success" });
    } catch (error) {
      this.#streams.delete(key);
      observation?.ended(endOfError(error));
      completeWithError(ctx.channel, ctx.id, error, runtime.report);
    }
  }

  /** Cancels a subscription; false when no subscription has this key. */
  cancel(key: unknown): boolean {
    const stream = this.#streams.get(key);
    stream?.drop();
    return stream !== undefined;
  }

  /** The server shuts down: ends every subscription. */
  end(): void {
    for (const stream of [...this.#streams.values()]) stream.end();
  }
}
