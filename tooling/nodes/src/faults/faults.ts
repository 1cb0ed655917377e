/** The faults of a run: each breaks something, waits, and mends it. */
import { setTimeout as sleep } from "node:timers/promises";
import type { FaultKind, FaultRecord } from "../check/records.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Engine } from "@oarlock-tooling/engines";
import type { Random } from "../random.ts";

export interface FaultScene {
  readonly cluster: Cluster;
  readonly engine: Engine | undefined;
  readonly losesData: boolean;
  readonly random: Random;
  readonly isShort: boolean;
}

/** After a fault that breaks connections, clients and nodes need this time to come back. */
const SETTLE_MS = 1500;
/** After an outage of the engine nodes connect again, and clients take up their streams. */
const ENGINE_SETTLE_MS = 4000;

type Fault = (scene: FaultScene, node: string) => Promise<void>;

const lasting = ({ random, isShort }: FaultScene, fromMs: number, toMs: number): Promise<void> =>
  sleep(isShort ? random.between(500, 1500) : random.between(fromMs, toMs));

const holding =
  (hold: (cluster: Cluster, node: string) => void): Fault =>
  async (scene, node) => {
    hold(scene.cluster, node);
    await lasting(scene, 4000, 14_000);
    scene.cluster.engineProxy(node).heal();
  };

async function drainAndRestart(cluster: Cluster, node: string): Promise<void> {
  const code = await cluster.drain(node);
  if (code !== 0) throw new Error(`Node ${node} exited with ${code} on SIGTERM: ${cluster.node(node).stderr.slice(-2000)}`);
  await cluster.restart(node);
}

const FAULTS: Record<FaultKind, Fault> = {
  async "kill node"(scene, node) {
    await scene.cluster.kill(node);
    await lasting(scene, 1000, 5000);
    await scene.cluster.restart(node);
  },
  "drain node": ({ cluster }, node) => drainAndRestart(cluster, node),
  async "rolling restart"({ cluster }) {
    for (const node of cluster.running) await drainAndRestart(cluster, node);
  },
  async "break streams"({ cluster, random }) {
    for (let times = random.between(2, 6); times > 0; times--) {
      cluster.balancer.breakStreams(0.7);
      await sleep(random.between(50, 600));
    }
  },
  "cut node off": holding((cluster, node) => cluster.engineProxy(node).hold("both")),
  "hold to engine": holding((cluster, node) => cluster.engineProxy(node).hold("to-server")),
  "hold to node": holding((cluster, node) => cluster.engineProxy(node).hold("to-client")),
  async "pause node"(scene, node) {
    scene.cluster.node(node).signal("SIGSTOP");
    await lasting(scene, 2000, 18_000);
    scene.cluster.node(node).signal("SIGCONT");
  },
  async "pause engine"({ engine, isShort }) {
    await engine?.pause();
    await sleep(isShort ? 2500 : 10_000);
    await engine?.resume();
  },
  async "restart engine"({ engine, random }) {
    await engine?.kill();
    await sleep(random.between(100, 2000));
    await engine?.restart();
  },
};

/** Faults that need an engine. */
export const ENGINE_FAULTS: readonly FaultKind[] = ["cut node off", "hold to engine", "hold to node", "pause engine", "restart engine"];

const WITHOUT_NODE: readonly FaultKind[] = ["rolling restart", "break streams", "pause engine", "restart engine"];

/** Makes one fault happen and records when it was. */
export async function injectFault(kind: FaultKind, scene: FaultScene, faults: FaultRecord[]): Promise<void> {
  const { cluster, random, losesData } = scene;
  const node = random.pick(cluster.running);
  const hasNode = !WITHOUT_NODE.includes(kind);
  const fault: FaultRecord = {
    kind,
    from: Date.now(),
    to: Infinity,
    ...(hasNode && { node }),
    ...(kind === "restart engine" && { losesData }),
  };
  faults.push(fault);
  try {
    await FAULTS[kind](scene, node);
  } finally {
    fault.to = Date.now() + (ENGINE_FAULTS.includes(kind) ? ENGINE_SETTLE_MS : SETTLE_MS);
  }
}
