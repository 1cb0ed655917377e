// The contract of a backplane, on PostgreSQL.
import { describeBackplane } from "../../cluster/test/contract/describe-backplane.ts";
import { startPostgres, type Engine } from "@oarlock-tooling/engines";
import { describePostgres } from "@oarlock-tooling/engines/describe";
import { afterAll, beforeAll } from "vitest";
import { postgresBackplane } from "../src/index.ts";

const describeEngine = await describePostgres({ own: true });

describeEngine("one engine", () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startPostgres({ own: true });
  });
  afterAll(() => engine.stop());

  describeBackplane("postgresBackplane", () => postgresBackplane(engine.url, { prefix: "test" }), { faults: () => engine });
});
