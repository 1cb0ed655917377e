/** Starts the everything server: one process, or several nodes behind a load balancer that picks one at random. */
import { startPostgres, startValkey } from "@oarlock-tooling/engines";
import { Cluster } from "@oarlock-tooling/nodes/cluster";
import { Random } from "@oarlock-tooling/nodes/random";
import { sourceProgram, startOverHttp, type Program } from "@oarlock-tooling/test-support/server-process";

export type EngineName = "valkey" | "postgres";

const everything = (...args: readonly string[]): Program => sourceProgram(new URL("serve.ts", import.meta.url), args);

export interface StartedEverything extends AsyncDisposable {
  readonly url: string | URL;
}

export const startEverything = (): Promise<StartedEverything> => startOverHttp(everything());

export async function startEverythingOn(nodes: number, engineName: EngineName, seed: number): Promise<StartedEverything> {
  await using started = new AsyncDisposableStack();
  const engine = started.use(await (engineName === "postgres" ? startPostgres() : startValkey()));
  const cluster = await Cluster.start({
    nodes,
    mode: "random",
    random: new Random(seed),
    engineUrl: engine.url,
    // Pages see the balancer's origin, not that of a node.
    program: (_folders, _node, { origin }) => everything("--allowed-origins", origin),
  });
  started.use(cluster);
  const parts = started.move();
  return { url: cluster.url, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}
