// Sessions on several nodes over Valkey: the tests of the cluster, each node with a connection of its own.
import { startValkey, type Engine } from "@oarlock-tooling/engines";
import { describeValkey } from "@oarlock-tooling/engines/describe";
import { afterAll, beforeAll, describe } from "vitest";
import { useWorld } from "../../cluster/test/support/nodes.ts";
import { valkeyBackplane } from "../src/index.ts";

let engine: Engine;
let worlds = 0;

const describeEngine = await describeValkey({ own: true });

describeEngine("sessions", () => {
  beforeAll(async () => {
    engine = await startValkey({ own: true });
    useWorld(() => {
      const prefix = `world ${++worlds}`;
      return async () => valkeyBackplane(engine.url, { prefix });
    });
  });

  afterAll(() => engine.stop());

  describe("on each node", async () => {
    await import("../../cluster/test/sessions/sessions.test.ts");
  });
  describe("streams", async () => {
    await import("../../cluster/test/sessions/resumption.test.ts");
  });
  describe("client requests", async () => {
    await import("../../cluster/test/sessions/questions.test.ts");
  });
  describe("standing streams", async () => {
    await import("../../cluster/test/sessions/standing-stream.test.ts");
  });
  describe("rates", async () => {
    await import("../../cluster/test/sessions/rates.test.ts");
  });
  describe("shutdown", async () => {
    await import("../../cluster/test/sessions/shutdown.test.ts");
  });
});
