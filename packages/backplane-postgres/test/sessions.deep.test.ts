// Sessions on several nodes over Postgres: the tests of the cluster, each node with a connection of its own.
import { startPostgres, type Engine } from "@oarlock-tooling/engines";
import { describePostgres } from "@oarlock-tooling/engines/describe";
import { afterAll, beforeAll, describe } from "vitest";
import { useWorld } from "../../cluster/test/support/nodes.ts";
import { postgresBackplane } from "../src/index.ts";

let engine: Engine;
let worlds = 0;

const describeEngine = await describePostgres({ own: true });

describeEngine("sessions", () => {
  beforeAll(async () => {
    engine = await startPostgres({ own: true });
    useWorld(() => {
      const prefix = `world ${++worlds}`;
      return async () => postgresBackplane(engine.url, { prefix });
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
