// Resumption: continues a stream of a session's log on any node, and ends the streams of nodes that have gone.
import { streamComplete, unknownEvent } from "@oarlock/server-kit/transport";
import { type LogPart, StreamRefused, type StreamState } from "../backplane/backplane.ts";
import { fromEngine } from "../node/engine-away.ts";
import type { NodeLease } from "../node/node-lease.ts";
import { failureTextOf, NODE_GONE } from "./cluster-reply.ts";
import type { SessionLog } from "./session-log.ts";

export interface ResumptionPoint {
  readonly stream: number;
  readonly position: number;
}

/** Reads a `Last-Event-ID`, and checks that the stream can be continued from there. Throws an HttpError. */
export async function checkResumption(log: SessionLog, lastEventId: string): Promise<ResumptionPoint> {
  const [, key, number] = /^(\d{1,9})-(\d{1,15})$/.exec(lastEventId) ?? [];
  if (key === undefined) throw unknownEvent();
  const point = { stream: Number(key), position: Number(number) };
  const { previous, state } = await whatFollows(log, point);
  const isFirst = point.stream === 0 && point.position === 0;
  if (state === undefined && isFirst) return point;
  if (state === undefined) throw unknownEvent();
  if (state.isEnded && state.position === point.position) throw streamComplete();
  if ((previous ?? state.position) !== point.position) throw unknownEvent();
  return point;
}

interface Following {
  readonly previous: number | undefined;
  readonly state: StreamState | undefined;
}

/** The state of a stream, and the position before its first entry behind a point; undefined when no entry follows. */
async function whatFollows(log: SessionLog, { stream, position }: ResumptionPoint): Promise<Following> {
  for (let after = position; ;) {
    const part: LogPart = await fromEngine(log.read(after, stream));
    const next = part.entries.find((entry) => entry.stream === stream);
    const last = part.entries.at(-1);
    if (next !== undefined || last === undefined) return { previous: next?.previous, state: part.stream };
    after = last.position;
  }
}

/** Ends a stream whose node has gone with an error in place of its response. Rejects when the backplane does not answer. */
export async function endIfGone(lease: NodeLease, log: SessionLog, stream: number): Promise<void> {
  if (stream === 0) return;
  const { stream: state } = await log.read(Number.MAX_SAFE_INTEGER, stream);
  if (state === undefined || state.isEnded || (await lease.isRunning(state.owner))) return;
  const texts = [failureTextOf(state.about, NODE_GONE)];
  try {
    await log.append({ stream, writer: await lease.acquire(), replaces: state.owner, texts, isLast: true });
  } catch (error) {
    // Another node was faster, or the owner is back and has ended it.
    if (!(error instanceof StreamRefused)) throw error;
  }
}
