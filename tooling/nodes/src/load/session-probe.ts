/** Sessions over the nodes (I1, I6): a session that one node opened works on every node at once, and after DELETE on none. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Recorder } from "../check/recorder.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Random } from "../random.ts";

const PAUSE_MS = 1500;
/** DELETE has reached every node after this time. */
const DELETED_MS = 100;

const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" };
const CLIENT = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "nodes-probe", version: "1.0.0" } };

const post = (url: string, message: object, session?: string): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: { ...HEADERS, ...(session !== undefined && { "mcp-session-id": session }) },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    signal: AbortSignal.timeout(10_000),
  });

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
  const opened = await post(cluster.urlOf(maker), { id: 1, method: "initialize", params: CLIENT });
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
