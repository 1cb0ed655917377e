// cluster: several nodes of one server that share their state over a backplane.
import type { Backplane } from "./backplane/backplane.ts";
import { SharedTaskStore } from "./extensions/tasks/shared/shared-task-store.ts";
import { TASKS } from "./extensions/tasks/task-messages.ts";
import type { ProvidedTaskStore } from "./extensions/tasks/task-store.ts";
import type { UsedConfirmations } from "./server/request/used-confirmations.ts";
import type { Runtime } from "./server/runtime.ts";
import { isCounted } from "./transports/http/call-rates.ts";
import type { Cluster, ClusterNode, Endpoints } from "./transports/http/cluster.ts";
import type { HttpLimits } from "./transports/http/http-limits.ts";
import { randomId } from "./transports/http/random-id.ts";
import { SharedNews } from "./transports/http/stateless/shared/shared-news.ts";
import { SharedRates } from "./transports/http/stateless/shared/shared-rates.ts";
import { ClientResponses } from "./transports/http/shared/client-responses.ts";
import { NodeLease } from "./transports/http/shared/node-lease.ts";
import { DEFAULT_NODE_TIMES, type NodeTimes } from "./transports/http/shared/node-times.ts";
import { SharedConfirmations } from "./transports/http/stateless/shared/shared-confirmations.ts";
import { SharedEndpoint } from "./transports/http/shared/shared-endpoint.ts";
import type { SharedSession } from "./transports/http/shared/shared-session.ts";

/** How the nodes of a server work together. */
export interface ClusterOptions {
  /** What the nodes share. The caller closes it after the server. */
  readonly backplane: Backplane;
  /** Name of this node, for logs. Default: chosen at random. */
  readonly nodeName?: string | undefined;
  /** Times that the nodes agree on. */
  readonly nodeTimes?: Partial<NodeTimes> | undefined;
}

/**
 * Several nodes of one server, so that each can serve any request. The nodes need the same `stateKeys`.
 * @example
 * await serveHttp(server, { cluster: cluster({ backplane }), stateKeys: [key] });
 */
export function cluster(options: ClusterOptions): Cluster {
  return { join: () => new OwnNode(options) };
}

class OwnNode implements ClusterNode {
  readonly #backplane: Backplane;
  readonly #times: Readonly<NodeTimes>;
  readonly #sessions = new Map<string, SharedSession>();
  readonly #responses: ClientResponses;
  readonly #lease: NodeLease;
  #endpoint: SharedEndpoint | undefined;
  #changes: SharedNews | undefined;

  constructor({ backplane, nodeName, nodeTimes }: ClusterOptions) {
    this.#backplane = backplane;
    this.#times = { ...DEFAULT_NODE_TIMES, ...nodeTimes };
    this.#responses = new ClientResponses({ backplane, sessions: this.#sessions });
    this.#lease = new NodeLease({
      backplane,
      name: nodeName ?? randomId().slice(0, 8),
      times: this.#times,
      onAcquired: (slot) => this.#responses.listen(slot),
      onLost: () => this.#endpoint?.letGo(),
    });
  }

  start(runtime: Runtime, limits: Readonly<HttpLimits>): Endpoints {
    const [backplane, times, lease, responses] = [this.#backplane, this.#times, this.#lease, this.#responses];
    const rates = new SharedRates(backplane);
    this.#changes = new SharedNews(runtime, backplane);
    const node = {
      runtime,
      backplane,
      limits,
      times,
      lease,
      rates,
      changesId: this.#changes.id,
      makeRequestId: (mayChange: boolean) => responses.makeId(mayChange),
    };
    this.#endpoint = new SharedEndpoint(node, this.#sessions, responses);
    lease.acquire().catch(() => undefined); // the first request tries again
    const { callsPerSecond } = runtime.limits;
    const take = (caller: string | undefined): true | Promise<boolean> =>
      !isCounted(caller, callsPerSecond) || rates.take(caller === undefined ? "" : `principal ${caller}`, callsPerSecond);
    return { sessions: this.#endpoint, rates: { take } };
  }

  // ── services ──────────────────────────────────────────────────────────────────────────────────────────────────────

  get changes(): SharedNews | undefined {
    return this.#changes;
  }

  usedConfirmations(ttlMs: number): UsedConfirmations {
    return new SharedConfirmations(this.#backplane, ttlMs);
  }

  forExtension(id: string): ProvidedTaskStore | undefined {
    return id === TASKS ? (maxMs) => new SharedTaskStore(this.#backplane, this.#lease, maxMs) : undefined;
  }

  // ── begin and end ─────────────────────────────────────────────────────────────────────────────────────────────────

  async joined(maxMs: number): Promise<void> {
    await this.#lease.await(maxMs);
  }

  get ready(): Promise<void> {
    return this.#changes?.ready ?? Promise.resolve();
  }

  async withdraw(): Promise<void> {
    this.#endpoint?.withdraw();
    this.#responses.close();
    await this.#lease.release().catch(() => undefined); // it runs out
  }

  close(): void {
    this.#changes?.close();
  }
}
