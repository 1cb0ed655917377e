/** What the bench measures: one process without a backplane, and nodes with one. */
import { Connection } from "@oarlock-tooling/bench/http/connection";
import { Lane } from "@oarlock-tooling/bench/http/lane";
import { MODES, type Mode } from "@oarlock-tooling/bench/http/modes";
import { openSession } from "@oarlock-tooling/bench/http/session";
import { sourceProgram } from "@oarlock-tooling/test-support/server-process";
import { Cluster } from "../cluster/cluster.ts";
import type { Random } from "../random.ts";

export interface Target {
  readonly name: string;
  readonly nodes: number;
  readonly hasBackplane: boolean;
}

export const TARGETS: readonly Target[] = [
  { name: "1 process", nodes: 1, hasBackplane: false },
  { name: "1 node", nodes: 1, hasBackplane: true },
  { name: "2 nodes", nodes: 2, hasBackplane: true },
  { name: "3 nodes", nodes: 3, hasBackplane: true },
];

const program = sourceProgram(new URL("echo-node.ts", import.meta.url));

export const startTarget = ({ nodes, hasBackplane }: Target, engineUrl: string, random: Random): Promise<Cluster> =>
  Cluster.start({
    ...{ nodes, random, mode: "random", hasEngineProxies: false },
    ...(hasBackplane && { engineUrl }),
    program: () => program,
  });

/** How calls are made. `stateful` calls are in a session, `modern` ones are stateless; `sse` calls are answered by a stream of events. */
export const WAYS = ["stateful/json", "stateful/sse", "modern/json", "session of another node"] as const;
export type Way = (typeof WAYS)[number];

/** Opens connections to all nodes in turn, each with a session of its own where the way has sessions. */
export async function openLanes(cluster: Cluster, way: Way, count: number): Promise<Lane[]> {
  const ports = cluster.names.map((name) => cluster.node(name).port);
  const portAt = (index: number): number => ports[index % ports.length] ?? 0;
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const mode = way === "session of another node" ? enteringAt(portAt(index + 1)) : modeNamed(way);
      // A lane uses no more of a server than its port.
      return Lane.open({ port: portAt(index) } as Parameters<typeof Lane.open>[0], mode);
    }),
  );
}

/** Calls in a session that was opened at another port. */
function enteringAt(port: number): Mode {
  return {
    ...modeNamed("stateful/json"),
    async enter() {
      const connection = await Connection.to(port);
      const headers = await openSession(connection, port);
      connection.end();
      return headers;
    },
  };
}

function modeNamed(name: string): Mode {
  const mode = MODES.find((mode) => mode.name === name);
  if (mode === undefined) throw new RangeError(`The bench has no mode ${name}.`);
  return mode;
}
