// Sessions on several nodes over Valkey: the tests of the kit, each node with a connection of its own.
import { startValkey, type Engine } from "@oarlock-tooling/engines";
import { describeValkey } from "@oarlock-tooling/engines/describe";
import { afterAll, beforeAll, describe } from "vitest";
import { useWorld } from "../../server-kit/test/support/nodes.ts";
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
