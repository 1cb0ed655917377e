// Requests that speak for themselves (newest era): each is judged by its own envelope, and nothing of it is remembered.
// https://modelcontextprotocol.io/specification/2026-07-28/basic
import { bindingOf, openRequestState, readInputResponses } from "../requests/request-state.ts";
import { severity } from "../features/logging.ts";
import { StatelessPeer } from "../peer/stateless-peer.ts";
import { McpError, toFailure } from "../protocol/errors.ts";
import type { Envelope } from "../protocol/meta.ts";
import { find, REVISIONS } from "../revisions/index.ts";
import { errorText, METHOD_NOT_FOUND, resultText, type RequestMessage } from "../wire/json-rpc.ts";
import { StatelessScope } from "./stateless-scope.ts";
import type { Channel } from "./channel.ts";
import { RequestContext } from "./context.ts";
import { isListHandler, type ListHandler } from "./dispatch.ts";
import type { Runtime } from "./endpoint.ts";
import { TokenBucket } from "./limits.ts";
import { LISTEN, SubscriptionStream } from "./subscription-stream.ts";
import type { Runner } from "./runner.ts";
import { encodeResult } from "./encode-result.ts";

/** Requests that may end in questions. */
const MAY_ASK = new Set(["tools/call", "prompts/get", "resources/read"]);

const UNSUPPORTED_VERSION = -32022;

export interface StatelessOptions {
  endpoint: Runtime;
  runner: Runner;
  /** Aborted when the connection ends. */
  signal(): AbortSignal;
  /** Whether another tool call of this caller may run now. */
  mayCall(principal: string | undefined): boolean;
  /** Subscription streams at the same time. */
  listens: number;
  /** On a pipe the end of a subscription is announced; on HTTP its stream just ends. */
  announcesEnd: boolean;
}

export class Stateless {
  readonly #options: StatelessOptions;
  readonly #logs: TokenBucket;
  readonly #listening = new Map<unknown, SubscriptionStream>();

  constructor(options: StatelessOptions) {
    this.#options = options;
    this.#logs = new TokenBucket(options.endpoint.limits.logsPerSecond);
  }

  /** Who sends a request with this envelope. Throws -32022 on a revision that is not served this way. */
  open(envelope: Envelope): StatelessPeer {
    const revision = find(envelope.version);
    if (revision?.facts.era !== "stateless") {
      const data = { supported: REVISIONS, requested: envelope.version };
      throw new McpError(UNSUPPORTED_VERSION, "Unsupported protocol version", data);
    }
    return new StatelessPeer(envelope, revision, envelope.logLevel === undefined ? Infinity : severity(envelope.logLevel));
  }

  has(key: unknown): boolean {
    return this.#listening.has(key);
  }

  get listens(): number {
    return this.#listening.size;
  }

  /** Answers a request whose envelope is good. `key` names it among those in flight. */
  run({ id, method, params = {} }: RequestMessage, exchange: StatelessPeer, channel: Channel, key: unknown = id): void {
    const { endpoint, runner, mayCall } = this.#options;
    const { revision } = exchange;
    if (!revision.methods.has(method)) return this.#unknown(id, channel);
    // Watches get a context that cannot speak: nothing but news goes out on a subscription.
    if (method === LISTEN) {
      const ctx = new RequestContext(
        new StatelessScope(this.#options, exchange),
        id,
        method,
        { notifications: params.notifications },
        channel,
      );
      return this.#listen(ctx, key);
    }
    const row = endpoint.handlers.get(method);
    if (row === undefined) return this.#unknown(id, channel);
    if (isListHandler(row)) return this.#list({ jsonrpc: "2.0", id, method, params }, row, exchange, channel);
    const ctx = new RequestContext(
      new StatelessScope(this.#options, exchange, this.#logs),
      id,
      method,
      revision.decodeParams(method, params),
      channel,
      key,
    );
    ctx.handler = row;
    if (method === "tools/call" && !mayCall(channel.auth?.principal)) return runner.refuse(ctx, "Too many tool calls a second");
    exchange.canRequestInput = MAY_ASK.has(method);
    if (!exchange.canRequestInput || (params.requestState === undefined && params.inputResponses === undefined)) return runner.run(ctx);
    ctx.handler = { run: (given, context) => this.#resumed(exchange, context).then(() => row.run(given, context)) };
    runner.run(ctx);
  }

  /** Brings back what earlier rounds have settled. */
  async #resumed(exchange: StatelessPeer, { method, params, auth }: RequestContext): Promise<void> {
    const bound = bindingOf(method, params, auth?.principal, exchange.revision.id, this.#options.endpoint.server.info.name);
    const responses = readInputResponses(params.inputResponses);
    exchange.resume(await openRequestState(params.requestState, bound, this.#options.endpoint.sealing), responses);
  }

  #unknown(id: RequestMessage["id"], channel: Channel): void {
    channel.complete(errorText(id, { code: METHOD_NOT_FOUND, message: "Method not found" }), METHOD_NOT_FOUND);
  }

  #list({ id, method, params = {} }: RequestMessage, row: ListHandler, { revision }: StatelessPeer, channel: Channel): void {
    const { endpoint } = this.#options;
    try {
      const text =
        params.cursor === undefined
          ? endpoint.listText(method, row, revision)
          : JSON.stringify(encodeResult(endpoint.server, revision, method, { ...row.list(params.cursor) }));
      channel.complete(resultText(id, text));
    } catch (error) {
      this.#fail(id, error, channel);
    }
  }

  #fail(id: RequestMessage["id"], error: unknown, channel: Channel): void {
    const { code, message, data } = toFailure(error, this.#options.endpoint.report);
    channel.complete(errorText(id, { code, message, ...(data !== undefined && { data }) }), code);
  }

  #listen(ctx: RequestContext, key: unknown): void {
    const { endpoint, listens, announcesEnd: announces } = this.#options;
    try {
      if (this.#listening.size >= listens) throw new McpError(429, `At most ${listens} subscription streams at the same time`);
      const listening = new SubscriptionStream(endpoint, ctx, announces, () => this.#listening.delete(key));
      this.#listening.set(key, listening);
      void listening.start().catch((error: unknown) => {
        this.#listening.delete(key);
        this.#fail(ctx.id, error, ctx.channel);
      });
    } catch (error) {
      this.#fail(ctx.id, error, ctx.channel);
    }
  }

  /** The client has given a request up; false when it is no subscription. */
  cancel(key: unknown): boolean {
    const listening = this.#listening.get(key);
    listening?.drop();
    return listening !== undefined;
  }

  /** The server is going: every subscription gets its end. */
  end(): void {
    for (const listening of [...this.#listening.values()]) listening.end();
  }
}
