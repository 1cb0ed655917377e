// drain: ends the work of a node that shuts down, so that its clients go on elsewhere.
import type { ClusterReply } from "./cluster-reply.ts";
import type { ClusterSession } from "./cluster-session.ts";
import type { LogReader } from "./log-reader.ts";

/** Clients come back within this time, not all at the same moment. */
const MAX_RETURN_MS = 1000;

const IDLE_CHECK_MS = 20;

/**
 * Lets the readers of streams go, waits for requests within the grace time, and ends those that still run with an error. What was written
 * has `flushMs` to get into the log.
 */
export async function drain(
  sessions: readonly ClusterSession[],
  replies: ReadonlySet<ClusterReply>,
  graceMs: number,
  flushMs: number,
): Promise<void> {
  for (const { log } of sessions) for (const reader of [...log.readers]) redirect(reader);
  const end = performance.now() + graceMs;
  while (replies.size > 0 && performance.now() < end) await sleep(Math.min(IDLE_CHECK_MS, graceMs));
  for (const reply of replies) reply.host.giveUp(reply);
  const flushed = sessions.map(({ log }) => log.flushed());
  await Promise.race([Promise.all(flushed), sleep(flushMs)]);
  for (const session of sessions) session.close("shutdown");
}

/** Ends a connection whose stream the client can resume on another node. */
function redirect(reader: LogReader): void {
  if (reader.isResumable) reader.prime(Math.ceil(Math.random() * MAX_RETURN_MS));
  if (reader.isResumable || reader.stream === 0) reader.disconnect();
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
