// The era without sessions: each request says who sends it, and what is wanted for longer is a subscription.
// https://modelcontextprotocol.io/specification/2026-07-28/basic
import { findRevision, McpError, REVISIONS, type Json, type LogLevel } from "@oarlock/server-kit/protocol";
import { answer, capabilitiesOf } from "../client-requests/client-request-handlers.ts";
import type { Agreed, Era } from "../era.ts";
import { asError, Closed, HttpRefused, Interrupted, TimedOut } from "../errors.ts";
import type { Asking } from "../connection/json-rpc-peer.ts";
import type { Meeting } from "../connection/connection.ts";
import { allNews, Listening, LISTS, missingIn, type ListenTo } from "../notifications/change-notification.ts";
import { CLIENT_INFO } from "../options.ts";
import { listing } from "../paged-list.ts";
import type { RequestOptions } from "../connection/pending-request.ts";
import type { OnUpdate } from "../notifications/watched-resources.ts";
import { Cache } from "./result-cache.ts";
import { Envelope, opened } from "./envelope.ts";
import { Kept } from "./subscription-manager.ts";
import { supportedBy } from "../negotiation/discovery.ts";
import { inRounds } from "./multi-round-trip.ts";
import { Subscriptions } from "./subscription-registry.ts";
import { ToolHeaders } from "./tool-headers.ts";

/** What may be asked twice when nobody knows what became of the first time; a tool may have done its work. */
const REPEATABLE = new Set([
  ...["server/discover", "tools/list", "prompts/list", "prompts/get", "resources/list", "resources/templates/list", "resources/read"],
  "completion/complete",
]);

const HEADER_MISMATCH = -32_020;

export class Stateless implements Era {
  readonly #meeting: Meeting;
  readonly #envelope: Envelope;
  readonly #cache: Cache | undefined;
  readonly #tools: ToolHeaders;
  readonly #subscriptions: Subscriptions;
  readonly #kept: Kept;

  constructor(meeting: Meeting, revision: string) {
    const { wire, options, handlers, link } = meeting;
    const { clientInfo = CLIENT_INFO, cache = {} } = options;
    this.#meeting = meeting;
    const capabilities = { ...options.capabilities, ...capabilitiesOf(handlers, meeting.facts) };
    this.#envelope = new Envelope(revision, capabilities, clientInfo === false ? undefined : clientInfo);
    this.#cache = cache === false ? undefined : new Cache(cache, async () => wire.caller?.());
    this.#tools = new ToolHeaders(options.onFault);
    this.#subscriptions = new Subscriptions(meeting, (method, params, asking) => this.#request(method, params, asking));
    this.#kept = new Kept(meeting, this.#subscriptions);
    link.answers = false;
    meeting.heard = (method, params) => {
      const news = this.#subscriptions.heard(method, params);
      if (news !== undefined) this.#cache?.tell(news);
    };
  }

  /** Opens what `onListChanged` needs. A server that does not tell is no reason to fail. */
  async begin({ capabilities }: Agreed): Promise<void> {
    const { options } = this.#meeting;
    const lists = LISTS.filter((list) => capabilities[list]?.listChanged === true);
    if (options.onListChanged === undefined || lists.length === 0) return;
    await this.#kept.lists(Object.fromEntries(lists.map((list) => [list, true]))).catch((error: unknown) => {
      if (error instanceof Closed) throw error;
      options.onFault?.(`the server does not tell of changes: ${asError(error).message}`);
    });
  }

  request(method: string, params: Json | undefined, options: RequestOptions | undefined): Promise<Json> {
    return this.#request(method, params, options);
  }

  #request(method: string, params: Json | undefined, options: Asking | undefined): Promise<Json> {
    return this.#meeting.link.request(method, this.#envelope.around(params), options);
  }

  async ask(method: string, params: Json, options: RequestOptions = {}): Promise<Json> {
    const slot = this.#cache?.slot(method, params);
    const fresh = await slot?.fresh();
    if (fresh !== undefined) return opened(fresh);
    try {
      const { maxTotalMs, gone, handlers, facts } = this.#meeting;
      const [result, first] = await inRounds(method, params, options, {
        send: (all, asking) => this.#send(method, all, asking),
        answer: (question, about, signal) => answer(handlers, facts, question, about, signal),
        maxTotalMs,
        maxRounds: this.#meeting.options.maxRounds ?? 20,
        gone,
      });
      if (first) await slot?.keep(result);
      return opened(result);
    } catch (error) {
      const stale = isOutage(error) ? await slot?.stale() : undefined;
      if (stale !== undefined) return opened(stale);
      throw error;
    }
  }

  /** Sends a request; once more for each reason that can be mended. */
  async #send(method: string, params: Json, options: RequestOptions): Promise<Json> {
    const mended = new Set<string>();
    for (;;) {
      try {
        const result = await this.#request(method, params, { ...options, headers: this.#headersOf(method, params) });
        return method === "tools/list" && this.#meeting.wire.alone === true ? this.#tools.learn(result) : result;
      } catch (error) {
        const reason = options.signal?.aborted === true ? undefined : await this.#mend(error, method, params, options, mended);
        if (reason === undefined) throw error;
        mended.add(reason);
      }
    }
  }

  #headersOf(method: string, { name, arguments: args }: Json): Record<string, string> | undefined {
    return method === "tools/call" && this.#meeting.wire.alone === true ? this.#tools.headersOf(name, args) : undefined;
  }

  /** Why asking again may go better; undefined when it will not. */
  async #mend(
    error: unknown,
    method: string,
    params: Json,
    options: RequestOptions,
    mended: ReadonlySet<string>,
  ): Promise<string | undefined> {
    if (error instanceof Interrupted) return REPEATABLE.has(method) && !mended.has("interrupted") ? "interrupted" : undefined;
    const supported = supportedBy(error);
    if (supported !== undefined && !mended.has("version")) {
      const mutual = REVISIONS.find((id) => supported.includes(id) && findRevision(id)?.facts.era === "stateless");
      if (mutual === undefined) return undefined;
      this.#envelope.revision = mutual;
      return "version";
    }
    const headers =
      error instanceof McpError && error.code === HEADER_MISMATCH && method === "tools/call" && this.#meeting.wire.alone === true;
    if (!headers || mended.has("headers")) return undefined;
    // The tool wants other headers than it did, or we have never seen its schema.
    this.#cache?.forget("tools/list");
    const asking = options.signal === undefined ? {} : { signal: options.signal };
    for await (const { name } of listing<Json>("tools", (page) => this.#send("tools/list", page, asking))) if (name === params.name) break;
    return "headers";
  }

  forget(method: string): boolean {
    return this.#cache?.forget(method) === true;
  }

  /** There is no ping: what every server answers takes its place. */
  async ping(options: RequestOptions | undefined): Promise<void> {
    await this.#request("server/discover", {}, options);
  }

  async setLevel(level: LogLevel): Promise<void> {
    this.#envelope.level = level;
  }

  subscribe(uri: string, onUpdate: OnUpdate): Promise<void> {
    return this.#kept.subscribe(uri, onUpdate);
  }

  async unsubscribe(uri: string): Promise<void> {
    this.#kept.unsubscribe(uri);
  }

  listen(wish: ListenTo, signal: AbortSignal | undefined): Listening {
    const close = (): void => listening.close();
    let stream: { close(): void } | undefined;
    const listening: Listening = new Listening(() => {
      signal?.removeEventListener("abort", close);
      stream?.close();
    });
    signal?.addEventListener("abort", close);
    if (signal?.aborted === true) close();
    else {
      stream = this.#subscriptions.open(wish, {
        told: (news) => listening.tell(news),
        opened: (to, again) => {
          listening.acknowledge(to);
          const missing = missingIn(to, wish);
          if (missing !== undefined && !again) this.#meeting.options.onFault?.(missing);
          if (again) for (const news of allNews(to)) listening.tell(news);
        },
        over: (error) => listening.end(error instanceof Closed ? undefined : error),
      });
    }
    return listening;
  }

  /** Nobody is told: who wants to know asks. */
  rootsChanged(): void {}
}

function isOutage(error: unknown): boolean {
  return error instanceof Interrupted || error instanceof TimedOut || (error instanceof HttpRefused && error.status >= 500);
}
