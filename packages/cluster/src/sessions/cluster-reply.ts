// ClusterReply: the response to one POST of a session that several nodes serve. One JSON body, or a stream of the session's log as soon
// as a message precedes the response.
import type { Auth } from "@oarlock/server-kit";
import { type ErrorObject, errorText, type Id, INTERNAL_ERROR } from "@oarlock/server-kit/protocol";
import {
  hasProgressToken,
  HttpError,
  respondError,
  respondRefusal,
  respondText,
  type Channel,
  type HttpExchange,
  type IncomingMessage,
} from "@oarlock/server-kit/transport";
import { engineAway } from "../node/engine-away.ts";
import type { NodeContext } from "../node/node-context.ts";
import type { ClusterSession } from "./cluster-session.ts";
import type { LogReader } from "./log-reader.ts";
import { LogWriter } from "./log-writer.ts";

export interface ClusterReplyOptions {
  readonly node: NodeContext;
  readonly session: ClusterSession;
  readonly auth: Auth | undefined;
  readonly message: IncomingMessage;
  readonly exceedsRate: boolean;
  /** Replies that have not ended; this one is among them while it waits. */
  readonly open: Set<ClusterReply>;
  /** Connects the client to a stream of the session's log. */
  connect(exchange: HttpExchange): LogReader;
}

/** The response for the requests of a node that has gone. */
export const NODE_GONE: ErrorObject = {
  code: INTERNAL_ERROR,
  message: "The node that ran this has gone. Whether it took effect is not known.",
};

export class ClusterReply implements Channel {
  readonly auth: Auth | undefined;
  readonly startedAt = performance.now();
  /** Responds with an event stream in any case. */
  readonly #alwaysStreams: boolean;
  readonly #exchange: HttpExchange;
  readonly #options: ClusterReplyOptions;
  #writer: LogWriter | undefined;
  #isDisconnected = false;
  #isDone = false;

  constructor(exchange: HttpExchange, options: ClusterReplyOptions) {
    this.#exchange = exchange;
    this.#options = options;
    this.auth = options.auth;
    this.#alwaysStreams = hasProgressToken(options.message);
    options.open.add(this);
  }

  get exceedsRate(): boolean {
    return this.#options.exceedsRate;
  }

  get session(): ClusterSession {
    return this.#options.session;
  }

  get hasStream(): boolean {
    return this.#writer !== undefined;
  }

  /** Called when the request was not answered in the same turn. */
  wait(): void {
    if (this.#isDone || this.#writer !== undefined) return;
    if (this.#alwaysStreams) return void this.startStream();
    // A lost connection is not a cancellation: the work goes on, without a client to respond to.
    this.#exchange.onClose = () => {
      this.#isDisconnected = true;
    };
  }

  /** Starts the event stream, unless it has started. */
  startStream(): LogWriter {
    if (this.#writer !== undefined) return this.#writer;
    const { node, session, message } = this.#options;
    const reader = this.#isDisconnected ? undefined : this.#options.connect(this.#exchange);
    const writer = new LogWriter({
      log: session.log,
      about: aboutOf(message),
      writer: () => node.lease.writer,
      ...(reader !== undefined && { reader }),
      responseWaitMs: node.times.responseWaitMs,
      onRefused: () => this.abandon(),
    });
    this.#writer = writer;
    // The empty text becomes the priming event.
    if (session.connection.revision?.facts.primingEvent === true) writer.add("");
    else reader?.open();
    return writer;
  }

  notify(text: string): void {
    if (!this.#isDone) this.startStream().add(text);
  }

  complete(text: string | undefined): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.session.lastUsedAt = performance.now();
    const saved = changesSession(this.#options.message) ? this.session.saved : undefined;
    if (saved === undefined) return this.#respond(text);
    // Other nodes must know what the client takes for granted from now on.
    void saved.then(
      () => this.#respond(text),
      (error: unknown) => this.#fail(error),
    );
  }

  #respond(text: string | undefined): void {
    this.#options.open.delete(this);
    if (this.#alwaysStreams && text !== undefined) this.startStream();
    if (this.#writer !== undefined) return this.#writer.end(text ?? "");
    if (!this.#isDisconnected) respondText(this.#exchange, text);
  }

  #fail(error: unknown): void {
    const problem = error instanceof HttpError ? error : engineAway();
    if (this.#writer !== undefined) return this.#respond(failureTextOf(aboutOf(this.#options.message), toError(problem)));
    this.#options.open.delete(this);
    if (!this.#isDisconnected) respondError(this.#exchange, problem);
  }

  refuse(error: ErrorObject): void {
    this.#isDone = true;
    this.#options.open.delete(this);
    respondRefusal(this.#exchange, error, error.code === INTERNAL_ERROR ? 500 : 400);
  }

  /** Ends a request that runs when its node ends. */
  giveUp(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#respond(failureTextOf(aboutOf(this.#options.message), NODE_GONE));
  }

  /** Another node has answered in place of this one: drops the work. */
  abandon(): void {
    const { message, session, open } = this.#options;
    this.#isDone = true;
    open.delete(this);
    this.#writer?.stop();
    for (const requestId of [idsOf(message)].flat()) session.cancel({ requestId, reason: "another node has ended the request" });
  }
}

const CHANGING_METHODS: ReadonlySet<string> = new Set(["logging/setLevel", "resources/subscribe", "resources/unsubscribe"]);

function changesSession(message: IncomingMessage): boolean {
  if (message.kind === "batch") return message.messages.some(changesSession);
  return message.kind === "request" && CHANGING_METHODS.has(message.value.method);
}

const toError = ({ message, options: { code = INTERNAL_ERROR } }: HttpError): ErrorObject => ({ code, message });

/** Names the requests that a stream answers. */
const aboutOf = (message: IncomingMessage): string => JSON.stringify(idsOf(message));

function idsOf(message: IncomingMessage): Id | Id[] {
  if (message.kind === "batch") return message.messages.flatMap((one) => idsOf(one));
  return message.kind === "request" || message.kind === "bad-params" ? message.value.id : [];
}

/** The response that ends the requests of a stream with an error. */
export function failureTextOf(about: string, error: ErrorObject): string {
  const ids = JSON.parse(about) as Id | Id[]; // written by `aboutOf`
  return Array.isArray(ids) ? `[${ids.map((id) => errorText(id, error)).join(",")}]` : errorText(ids, error);
}
