// Resumption: continues a stream of a session's log on any node, and ends the streams of nodes that have gone.
import { streamComplete, unknownEvent } from "@oarlock/server-kit/transport";
import { type LogPart, StreamRefused, type StreamState } from "../backplane/backplane.ts";
import { fromEngine } from "../node/engine-away.ts";
import type { NodeContext } from "../node/node-context.ts";
import { failureTextOf, NODE_GONE } from "./cluster-reply.ts";
import type { ClusterSession } from "./cluster-session.ts";

export interface ResumptionPoint {
  readonly stream: number;
  readonly position: number;
}

/** Reads a `Last-Event-ID`, and checks that the stream can be continued from there. Throws an HttpError. */
export async function checkResumption(session: ClusterSession, lastEventId: string): Promise<ResumptionPoint> {
  const [, key, number] = /^(\d{1,9})-(\d{1,15})$/.exec(lastEventId) ?? [];
  if (key === undefined) throw unknownEvent();
  const point = { stream: Number(key), position: Number(number) };
  const { previous, state } = await whatFollows(session, point);
  const isFirst = point.stream === 0 && point.position === 0;
  if (state === undefined && isFirst) return point;
  if (state === undefined) throw unknownEvent();
  if (state.isEnded && state.position === point.position) throw streamComplete();
  if ((previous ?? state.position) !== point.position) throw unknownEvent();
  return point;
}

/** The state of a stream, and the position before its first entry behind a point; undefined when no entry follows. */
async function whatFollows(
  session: ClusterSession,
  { stream, position }: ResumptionPoint,
): Promise<{ previous: number | undefined; state: StreamState | undefined }> {
  for (let after = position; ;) {
    const part: LogPart = await fromEngine(session.log.read(after, stream));
    const next = part.entries.find((entry) => entry.stream === stream);
    const last = part.entries.at(-1);
    if (next !== undefined || last === undefined) return { previous: next?.previous, state: part.stream };
    after = last.position;
  }
}

/** Ends a stream whose node has gone with an error in place of its response. Rejects when the backplane does not answer. */
export async function endIfGone(
  { lease }: Pick<NodeContext, "lease">,
  session: Pick<ClusterSession, "log">,
  stream: number,
): Promise<void> {
  if (stream === 0) return;
  const { stream: state } = await session.log.read(Number.MAX_SAFE_INTEGER, stream);
  if (state === undefined || state.isEnded || (await lease.isRunning(state.owner))) return;
  const texts = [failureTextOf(state.about, NODE_GONE)];
  try {
    await session.log.append({ stream, writer: await lease.acquire(), replaces: state.owner, texts, isLast: true });
  } catch (error) {
    // Another node was faster, or the owner is back and has ended it.
    if (!(error instanceof StreamRefused)) throw error;
  }
}
