// cluster: several nodes of one server that share their state over a backplane.
import { type ProvidedTaskStore, TASKS } from "@oarlock/extensions/tasks";
import {
  type Cluster,
  type ClusterNode,
  type Endpoints,
  type HttpLimits,
  randomId,
  type Runtime,
  type UsedConfirmations,
} from "@oarlock/server-kit/transport";
import type { Backplane } from "./backplane/backplane.ts";
import { ClusterChanges } from "./changes/cluster-changes.ts";
import { clusterConfirmations } from "./node/cluster-confirmations.ts";
import { clusterRates } from "./node/cluster-rates.ts";
import { NodeLease } from "./node/node-lease.ts";
import { DEFAULT_NODE_TIMES, type NodeTimes } from "./node/node-times.ts";
import { ClientResponses } from "./sessions/client-responses.ts";
import { ClusterHost } from "./sessions/cluster-host.ts";
import type { ClusterSession } from "./sessions/cluster-session.ts";
import { ClusterTaskStore } from "./tasks/cluster-task-store.ts";

/** How the nodes of a server work together. */
export interface ClusterOptions {
  /** What the nodes share. The caller closes it after the server. */
  readonly backplane: Backplane;
  /** Name of this node, for logs. Default: chosen at random. */
  readonly nodeName?: string | undefined;
}

/**
 * Several nodes of one server, so that each can serve any request. The nodes need the same `stateKeys`.
 * @example
 * await serveHttp(server, { cluster: cluster({ backplane: new MemoryBackplane() }), stateKeys: [secret] });
 */
export const cluster = (options: ClusterOptions): Cluster => clusterWithin({}, options);

/** A cluster whose nodes agree on other times, so that a test can wait for them. */
export function clusterWithin(times: Partial<NodeTimes>, options: ClusterOptions): Cluster {
  return { join: () => new OwnNode(options, { ...DEFAULT_NODE_TIMES, ...times }) };
}

class OwnNode implements ClusterNode {
  readonly #backplane: Backplane;
  readonly #times: Readonly<NodeTimes>;
  readonly #sessions = new Map<string, ClusterSession>();
  readonly #responses: ClientResponses;
  readonly #lease: NodeLease;
  #host: ClusterHost | undefined;
  changes: ClusterChanges | undefined;

  constructor({ backplane, nodeName }: ClusterOptions, times: Readonly<NodeTimes>) {
    this.#backplane = backplane;
    this.#times = times;
    this.#responses = new ClientResponses(backplane, this.#sessions);
    this.#lease = new NodeLease({
      backplane,
      name: nodeName ?? randomId().slice(0, 8),
      times: this.#times,
      onAcquired: (slot) => this.#responses.listen(slot),
      onLost: () => this.#host?.letGo(),
    });
  }

  start(runtime: Runtime, limits: Readonly<HttpLimits>): Endpoints {
    const [backplane, times, lease, responses] = [this.#backplane, this.#times, this.#lease, this.#responses];
    this.changes = new ClusterChanges(runtime, backplane, this.#sessions);
    const makeRequestId = (mayChange: boolean): number => responses.makeId(mayChange);
    const node = { runtime, backplane, limits, times, lease, makeRequestId };
    this.#host = new ClusterHost(node, this.#sessions, responses);
    lease.acquire().catch(() => undefined); // the first request tries again
    return { sessions: this.#host, rates: clusterRates(backplane, runtime.limits.callsPerSecond) };
  }

  // ── services ──────────────────────────────────────────────────────────────────────────────────────────────────────

  usedConfirmations(ttlMs: number): UsedConfirmations {
    return clusterConfirmations(this.#backplane, ttlMs);
  }

  forExtension(id: string): ProvidedTaskStore | undefined {
    return id === TASKS ? (maxMs) => new ClusterTaskStore(this.#backplane, this.#lease, maxMs) : undefined;
  }

  // ── begin and end ─────────────────────────────────────────────────────────────────────────────────────────────────

  async joined(): Promise<void> {
    await this.#lease.acquire().catch(() => undefined); // the next request tries again
  }

  get ready(): Promise<void> {
    return this.changes?.ready ?? Promise.resolve();
  }

  async withdraw(): Promise<void> {
    this.#responses.close();
    await this.#lease.release().catch(() => undefined); // it runs out
  }

  close(): void {
    this.changes?.close();
  }
}
