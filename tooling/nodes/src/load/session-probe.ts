/** Sessions over the nodes (I1, I6): a session that one node opened works on every node at once, and after DELETE on none. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Recorder } from "../check/recorder.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { HEADERS, INITIALIZE, post } from "../cluster/readiness.ts";
import type { Random } from "../random.ts";

const PAUSE_MS = 1500;
/** DELETE has reached every node after this time. */
const DELETED_MS = 100;

/** Probes until the signal is aborted. What happens during a fault does not count. */
export async function probeSessions(cluster: Cluster, recorder: Recorder, random: Random, ending: AbortSignal): Promise<void> {
  while (!ending.aborted) {
    await sleep(random.between(PAUSE_MS / 2, PAUSE_MS), undefined, { signal: ending }).catch(() => undefined);
    const startedAt = Date.now();
    const problems = await probe(cluster, random.pick(cluster.running)).catch((error: unknown) => [String(error)]);
    const isDisturbed = recorder.faults.some(({ from, to }) => from <= Date.now() && to >= startedAt);
    if (!isDisturbed) recorder.violations.push(...problems);
  }
}

async function probe(cluster: Cluster, maker: string): Promise<string[]> {
  const problems: string[] = [];
  const opened = await post(cluster.urlOf(maker), INITIALIZE);
  const text = await opened.text();
  if (opened.status !== 200) return [`I1: ${maker} answers ${opened.status} to initialize: ${text.slice(0, 200)}`];
  const session = opened.headers.get("mcp-session-id") ?? "";
  const eachNode = async (expected: number, when: string): Promise<void> => {
    for (const name of cluster.running) {
      const { status, body } = await post(cluster.urlOf(name), { id: 2, method: "ping" }, session);
      await body?.cancel();
      if (status !== expected)
        problems.push(`${expected === 200 ? "I1" : "I6"}: ${name} answers ${status} for a session of ${maker} ${when}`);
    }
  };
  await eachNode(200, "right after initialize");
  const deleted = await fetch(cluster.url, { method: "DELETE", headers: { ...HEADERS, "mcp-session-id": session } });
  if (deleted.status !== 204) problems.push(`I6: DELETE answers ${deleted.status}`);
  await sleep(DELETED_MS);
  await eachNode(404, "after DELETE");
  return problems;
}
