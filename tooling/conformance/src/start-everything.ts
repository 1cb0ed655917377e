/** Starts the everything server: one process, or several nodes behind a load balancer that picks one at random. */
import { startPostgres, startValkey } from "@oarlock-tooling/engines";
import { Cluster } from "@oarlock-tooling/nodes/cluster";
import { Random } from "@oarlock-tooling/nodes/random";
import { sourceProgram, startOverHttp, type Program } from "@oarlock-tooling/test-support/server-process";

export type EngineName = "valkey" | "postgres";

const everything = (...args: readonly string[]): Program => sourceProgram(new URL("serve.ts", import.meta.url), args);

export interface StartedEverything extends AsyncDisposable {
  readonly url: string;
}

export async function startEverything(): Promise<StartedEverything> {
  const server = await startOverHttp(everything());
  return { url: server.url.href, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

export async function startEverythingOn(nodes: number, engineName: EngineName, seed: number): Promise<StartedEverything> {
  const engine = await (engineName === "postgres" ? startPostgres() : startValkey());
  try {
    const cluster = await Cluster.start({
      nodes,
      mode: "random",
      random: new Random(seed),
      engineUrl: engine.url,
      // Pages see the balancer's origin, not that of a node.
      program: (_folders, _node, { origin }) => everything("--allowed-origins", origin),
    });
    return {
      url: cluster.url,
      async [Symbol.asyncDispose]() {
        await cluster[Symbol.asyncDispose]();
        await engine.stop();
      },
    };
  } catch (error) {
    await engine.stop();
    throw error;
  }
}
