// ClusterReplyHost: what a reply to one POST does in a session that several nodes serve. Its stream is one of the session's log.
import { type ErrorObject, errorText, type Id, INTERNAL_ERROR } from "@oarlock/server-kit/protocol";
import {
  type HttpError,
  type HttpExchange,
  type HttpReply,
  type IncomingMessage,
  type ReplyFailure,
  type ReplyHost,
} from "@oarlock/server-kit/transport";
import { toHttpError } from "../node/engine-away.ts";
import type { NodeContext } from "../node/node-context.ts";
import type { ClusterSession } from "./cluster-session.ts";
import { LogWriter } from "./log-writer.ts";

export type ClusterReply = HttpReply<LogWriter, ClusterReplyHost>;

export interface ClusterReplyOptions {
  readonly node: NodeContext;
  readonly session: ClusterSession;
  readonly message: IncomingMessage;
  readonly open: Set<ClusterReply>;
}

/** The response for the requests of a node that has gone. */
export const NODE_GONE: ErrorObject = {
  code: INTERNAL_ERROR,
  message: "The node that ran this has gone. Whether it took effect is not known.",
};

export class ClusterReplyHost implements ReplyHost<LogWriter> {
  readonly onLost = "continue";
  readonly open: Set<ClusterReply>;
  readonly #options: ClusterReplyOptions;

  constructor(options: ClusterReplyOptions) {
    this.#options = options;
    this.open = options.open;
  }

  get streamCount(): number {
    return this.#options.session.streamCount;
  }

  openStream(reply: HttpReply<LogWriter>, exchange: HttpExchange | undefined): LogWriter {
    const { node, session, message } = this.#options;
    const reader = exchange && session.connect(exchange);
    const writer = new LogWriter({
      log: session.log,
      about: aboutOf(message),
      writer: () => node.lease.writer,
      ...(reader !== undefined && { reader }),
      responseWaitMs: node.times.responseWaitMs,
      onRefused: () => this.abandon(reply),
    });
    // The empty text becomes the priming event.
    if (session.hasPrimingEvents) writer.add("");
    else reader?.open();
    return writer;
  }

  send(writer: LogWriter, text: string): void {
    writer.add(text);
  }

  end(writer: LogWriter, text = ""): void {
    writer.end(text);
  }

  /** Other nodes must know what the client takes for granted from the response on. */
  beforeResponse(): Promise<ReplyFailure | undefined> | undefined {
    this.#options.session.lastUsedAt = performance.now();
    const saved = changesSession(this.#options.message) ? this.#options.session.saved : undefined;
    return saved?.then(
      () => undefined,
      (error: unknown) => this.#failure(toHttpError(error)),
    );
  }

  #failure(error: HttpError): ReplyFailure {
    const { code = INTERNAL_ERROR } = error.options;
    return { error, text: failureTextOf(aboutOf(this.#options.message), { code, message: error.message }) };
  }

  /** Ends a request that runs when its node ends. */
  giveUp(reply: ClusterReply): void {
    reply.end(failureTextOf(aboutOf(this.#options.message), NODE_GONE));
  }

  /** Another node has answered in place of this one: drops the work. */
  abandon(reply: HttpReply<LogWriter>): void {
    const { message, session } = this.#options;
    reply.abandon();
    reply.stream?.stop();
    for (const requestId of [idsOf(message)].flat()) session.cancel({ requestId, reason: "another node has ended the request" });
  }
}

const CHANGING_METHODS: ReadonlySet<string> = new Set(["logging/setLevel", "resources/subscribe", "resources/unsubscribe"]);

function changesSession(message: IncomingMessage): boolean {
  if (message.kind === "batch") return message.messages.some(changesSession);
  return message.kind === "request" && CHANGING_METHODS.has(message.value.method);
}

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
