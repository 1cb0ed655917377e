// The stateless era on several nodes over PostgreSQL: the tests of the kit, each node with a connection of its own.
import { startPostgres, type Engine } from "@oarlock-tooling/engines";
import { describePostgres } from "@oarlock-tooling/engines/describe";
import { afterAll, beforeAll, describe } from "vitest";
import { useWorld } from "../../server-kit/test/support/nodes.ts";
import { postgresBackplane } from "../src/index.ts";

let engine: Engine;
let worlds = 0;

const describeEngine = await describePostgres({ own: true });

describeEngine("the stateless era", () => {
  beforeAll(async () => {
    engine = await startPostgres({ own: true });
    useWorld(() => {
      const prefix = `world ${++worlds}`;
      return async () => postgresBackplane(engine.url, { prefix });
    });
  });

  afterAll(() => engine.stop());

  describe("news", async () => {
    await import("../../server-kit/test/transports/http/stateless/shared-news.test.ts");
  });
  describe("rates", async () => {
    await import("../../server-kit/test/transports/http/stateless/shared-rates.test.ts");
  });
  describe("tasks", async () => {
    await import("../../server-kit/test/extensions/tasks/shared-tasks.test.ts");
  });
});
