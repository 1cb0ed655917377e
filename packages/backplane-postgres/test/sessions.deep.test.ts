// Sessions on several nodes over Postgres: the tests of the kit, each node with a connection of its own.
import { startPostgres, type Engine } from "@oarlock-tooling/engines";
import { describePostgres } from "@oarlock-tooling/engines/describe";
import { afterAll, beforeAll, describe } from "vitest";
import { useWorld } from "../../server-kit/test/support/nodes.ts";
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
    await import("../../server-kit/test/transports/http/shared/sessions.test.ts");
  });
  describe("streams", async () => {
    await import("../../server-kit/test/transports/http/shared/resumption.test.ts");
  });
  describe("client requests", async () => {
    await import("../../server-kit/test/transports/http/shared/questions.test.ts");
  });
  describe("standing streams", async () => {
    await import("../../server-kit/test/transports/http/shared/standing-stream.test.ts");
  });
  describe("rates", async () => {
    await import("../../server-kit/test/transports/http/shared/rates.test.ts");
  });
  describe("shutdown", async () => {
    await import("../../server-kit/test/transports/http/shared/shutdown.test.ts");
  });
});
