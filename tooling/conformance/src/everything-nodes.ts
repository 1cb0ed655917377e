/** Starts the everything server on several nodes behind a load balancer that picks one at random. */
import { fileURLToPath } from "node:url";
import { startPostgres, startValkey } from "@oarlock-tooling/engines";
import { Cluster } from "@oarlock-tooling/nodes/cluster";
import { Random } from "@oarlock-tooling/nodes/random";
import type { Started } from "./everything-process.ts";
import { SOURCE } from "./suite.ts";

export type EngineName = "valkey" | "postgres";

const [file, ...flags] = SOURCE;
const entry = fileURLToPath(new URL("serve.ts", import.meta.url));

export async function startEverythingOn(nodes: number, engineName: EngineName, seed: number): Promise<Started> {
  const engine = await (engineName === "postgres" ? startPostgres() : startValkey());
  try {
    const cluster = await Cluster.start({
      nodes,
      mode: "random",
      random: new Random(seed),
      engineUrl: engine.url,
      // Pages see the balancer's origin, not that of a node.
      program: (_folders, _node, { origin }) => ({
        file,
        args: [...flags, entry, "--allowed-origins", origin],
      }),
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
