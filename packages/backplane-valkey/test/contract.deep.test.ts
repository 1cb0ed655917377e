// The contract of a backplane, on Valkey: one engine, and a cluster.
import { describeBackplane } from "../../cluster/test/contract/describe-backplane.ts";
import { startValkey, startValkeyCluster, type Engine } from "@oarlock-tooling/engines";
import { describeValkey } from "@oarlock-tooling/engines/describe";
import { afterAll, beforeAll } from "vitest";
import { valkeyBackplane } from "../src/index.ts";

const describeEngine = await describeValkey({ own: true });

describeEngine("one engine", () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startValkey({ own: true });
  });
  afterAll(() => engine.stop());

  describeBackplane("valkeyBackplane", () => valkeyBackplane(engine.url, { prefix: "test" }), { faults: () => engine });
});

describeEngine("a cluster", () => {
  let cluster: Awaited<ReturnType<typeof startValkeyCluster>>;
  beforeAll(async () => {
    cluster = await startValkeyCluster(3);
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  const everyNode = (verb: "pause" | "resume" | "kill" | "restart") => async (): Promise<void> => {
    await Promise.all(cluster.nodes.map((node) => node[verb]()));
  };

  describeBackplane("valkeyBackplane", () => valkeyBackplane(cluster.url, { prefix: "test" }), {
    faults: () => ({ pause: everyNode("pause"), resume: everyNode("resume"), kill: everyNode("kill"), restart: everyNode("restart") }),
  });
});
