// StatelessReplyHost: what the replies of stateless requests do with their messages. A client that closes the connection cancels its request.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
import { METHOD_NOT_FOUND } from "../../../wire/json-rpc.ts";
import { EventStream } from "../event-stream.ts";
import type { HttpExchange } from "../http-exchange.ts";
import type { HttpLimits } from "../http-limits.ts";
import type { HttpReply, ReplyHost } from "../http-reply.ts";

export type StatelessReply = HttpReply<EventStream>;

const STATUS_BY_CODE: Readonly<Record<number, number>> = {
  [METHOD_NOT_FOUND]: 404,
  [-32_020]: 400,
  [-32_021]: 400,
  [-32_022]: 400,
  429: 429,
};

/** Characters that may wait for a client that reads slowly. */
const MAX_PENDING = 8 * 1024 * 1024;

export class StatelessReplyHost implements ReplyHost<EventStream> {
  readonly onLost = "cancel";
  readonly open = new Set<StatelessReply>();
  readonly cancel: (reply: StatelessReply) => void;

  constructor(cancel: (reply: StatelessReply) => void) {
    this.cancel = cancel;
  }

  openStream(reply: StatelessReply, exchange: HttpExchange | undefined): EventStream {
    const stream = new EventStream({ maxPending: MAX_PENDING });
    stream.listener = reply;
    if (exchange !== undefined) stream.connect(exchange);
    return stream;
  }

  send(stream: EventStream, text: string): void {
    stream.send(text);
  }

  end(stream: EventStream, text: string | undefined): void {
    if (text !== undefined) stream.append(text);
    stream.complete();
  }

  statusOf(code: number): number {
    return STATUS_BY_CODE[code] ?? 200;
  }

  /** Called by the clock: starts streams for slow responses, keeps idle ones alive. */
  tick(now: number, limits: Readonly<HttpLimits>): void {
    for (const reply of this.open) {
      if (reply.stream !== undefined) reply.stream.tick(now, limits);
      else if (reply.isSilent(now, limits.silentMs)) reply.startStream().keepAlive();
    }
  }
}
