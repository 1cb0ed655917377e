// Follows a stream over its breaks: waits, comes back, and goes on behind the last event that was seen.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
import { setTimeout as pause } from "node:timers/promises";
import { Interrupted } from "../../errors.ts";
import type { Body } from "./response-body.ts";
import { readEvents } from "./event-stream.ts";

export interface FollowSpec {
  /** Each message. Events without data only carry an id, and are left out. */
  text(text: string): void;
  /** Opens the stream, behind this event if there is one. An error that is returned, not thrown, may be gone at the next try. */
  open(lastId: string | undefined): Promise<Body | Error>;
  /** False when nothing is missed by the end of the stream. */
  wanted(): boolean;
  /** The stream has to go on behind the last event: it cannot start anew. */
  onlyBehind: boolean;
  signal: AbortSignal;
}

/** Before the server says otherwise. */
const RETRY_MS = 1000;
/** Tries in a row that give nothing; the wait doubles each time. */
const MOST_TRIES = 5;
/** A stream that lasted this long was good, even if nothing came. */
const GOOD_MS = 10_000;
/** Longer than this and a timer of the platform would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Resolves when the stream has ended and nobody wants more of it; throws when it cannot be resumed. */
export async function follow(first: Body | undefined, spec: FollowSpec): Promise<void> {
  const { signal } = spec;
  let lastId: string | undefined;
  let retryMs: number | undefined;
  let tries = 0;
  let heard = false;
  const sink = {
    event(name: string, data: string): void {
      heard = true;
      if (name === "message" && data !== "") spec.text(data);
    },
    id(id: string): void {
      heard = true;
      lastId = id === "" ? undefined : id;
    },
    retry: (ms: number): void => void (retryMs = ms),
  };
  let stream: Body | Error = first ?? (await spec.open(undefined));
  for (;;) {
    let why: Error | undefined;
    if (stream instanceof Error) why = stream;
    else {
      const since = performance.now();
      heard = false;
      why = await readEvents(stream, sink, signal);
      // A server that names a time may let us come back as often as it likes.
      const polled = why === undefined && retryMs !== undefined;
      if (heard || polled || performance.now() - since > GOOD_MS) tries = 0;
    }
    if (!spec.wanted()) return;
    signal.throwIfAborted();
    if (spec.onlyBehind && lastId === undefined) throw broken("and its events had no ids to resume it by", why);
    if (tries === MOST_TRIES) throw broken(`and ${MOST_TRIES} tries to resume it failed`, why);
    await pause(Math.min((retryMs ?? RETRY_MS) * 2 ** tries++, LONGEST_MS), undefined, { signal });
    if (!spec.wanted()) return;
    stream = await spec.open(lastId);
  }
}

function broken(what: string, why: Error | undefined): Interrupted {
  return new Interrupted(`The server's stream ended too soon, ${what}${why === undefined ? "" : `: ${why.message}`}`);
}
