// startValkeyCluster: Valkey nodes that share the keys among them.
import { setTimeout as delay } from "node:timers/promises";
import type { Engine } from "./engine.ts";
import { sendValkey, startValkey } from "./valkey.ts";

export interface ValkeyCluster extends AsyncDisposable {
  readonly url: string;
  readonly nodes: readonly Engine[];
}

const SLOTS = 16_384;
const READY_MS = 30_000;

/** Starts nodes without replicas and waits until each of them knows all others. */
export async function startValkeyCluster(size = 3): Promise<ValkeyCluster> {
  await using started = new AsyncDisposableStack();
  const nodes: Engine[] = [];
  for (let index = 0; index < size; index++)
    nodes.push(started.use(await startValkey({ own: true, isClusterNode: true, isPersistent: true })));
  await join(nodes.map(({ url }) => Number(new URL(url).port)));
  const parts = started.move();
  return { url: nodes[0]?.url ?? "", nodes, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

async function join(ports: readonly number[]): Promise<void> {
  for (const [index, port] of ports.entries()) {
    const first = Math.floor((index * SLOTS) / ports.length);
    const last = Math.floor(((index + 1) * SLOTS) / ports.length) - 1;
    await expectOk(port, `CLUSTER ADDSLOTSRANGE ${first} ${last}`);
    await expectOk(port, `CLUSTER SET-CONFIG-EPOCH ${index + 1}`);
    if (index > 0) await expectOk(port, `CLUSTER MEET 127.0.0.1 ${ports[0]}`);
  }
  const deadline = performance.now() + READY_MS;
  for (const port of ports)
    while (!(await isComplete(port, ports.length))) {
      if (performance.now() > deadline) throw new Error("The cluster is not complete.");
      await delay(50);
    }
}

async function isComplete(port: number, size: number): Promise<boolean> {
  const info = await sendValkey(port, "CLUSTER INFO");
  return info.includes("cluster_state:ok") && info.includes(`cluster_known_nodes:${size}`);
}

async function expectOk(port: number, command: string): Promise<void> {
  const reply = await sendValkey(port, command);
  if (!reply.startsWith("+OK")) throw new Error(`${command}: ${reply}`);
}
