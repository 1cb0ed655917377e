/** What load balancers do: asks each node whether it is ready, and sends requests only to nodes that are. */
import { setTimeout as sleep } from "node:timers/promises";
import type { BackendNode, Balancer } from "../../src/proxy/balancer.ts";

const INTERVAL_MS = 50;

interface ProbedNode {
  readonly node: BackendNode;
  readonly readyUrl: string;
  isReady: boolean;
}

export class ReadinessProbe implements AsyncDisposable {
  readonly #balancer: Balancer;
  readonly #probed = new Map<string, ProbedNode>();
  readonly #done: Promise<void>;
  #isStopped = false;

  constructor(balancer: Balancer) {
    this.#balancer = balancer;
    this.#done = this.#run();
  }

  /** Probes a node from now on, in place of an earlier one of that name. `readyUrl`: its page `/readyz`. */
  watch(node: BackendNode, readyUrl: string): void {
    this.#balancer.remove(node.name);
    this.#probed.set(node.name, { node, readyUrl, isReady: false });
  }

  isReady(name: string): boolean {
    return this.#probed.get(name)?.isReady === true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    await this.#done;
  }

  async #run(): Promise<void> {
    for (; !this.#isStopped; await sleep(INTERVAL_MS)) await Promise.all([...this.#probed.values()].map((probed) => this.#probe(probed)));
  }

  async #probe(probed: ProbedNode): Promise<void> {
    const isReady = await answersOk(probed.readyUrl);
    if (isReady === probed.isReady || this.#probed.get(probed.node.name) !== probed) return;
    probed.isReady = isReady;
    if (isReady) this.#balancer.add(probed.node);
    else this.#balancer.remove(probed.node.name);
  }
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    await response.text();
    return response.ok;
  } catch {
    return false; // the node is away
  }
}
