// The stateless era on several nodes over Valkey: the tests of the cluster, each node with a connection of its own.
import { startValkey, type Engine } from "@oarlock-tooling/engines";
import { describeValkey } from "@oarlock-tooling/engines/describe";
import { afterAll, beforeAll, describe } from "vitest";
import { useWorld } from "../../cluster/test/support/nodes.ts";
import { valkeyBackplane } from "../src/index.ts";

let engine: Engine;
let worlds = 0;

const describeEngine = await describeValkey({ own: true });

describeEngine("the stateless era", () => {
  beforeAll(async () => {
    engine = await startValkey({ own: true });
    useWorld(() => {
      const prefix = `world ${++worlds}`;
      return async () => valkeyBackplane(engine.url, { prefix });
    });
  });

  afterAll(() => engine.stop());

  describe("changes", async () => {
    await import("../../cluster/test/changes.test.ts");
  });
  describe("rates", async () => {
    await import("../../cluster/test/rates.test.ts");
  });
  describe("tasks", async () => {
    await import("../../cluster/test/tasks.test.ts");
  });
});
