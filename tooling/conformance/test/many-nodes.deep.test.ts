/**
 * The official suite against three nodes behind a load balancer that picks one at random: the same results as with one process. The long tier adds
 * PostgreSQL, whose sessions on several nodes tooling/nodes/test/many-nodes.deep.test.ts tests in every run.
 */
import { describePostgres, describeValkey } from "@oarlock-tooling/engines/describe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEverythingOn, type StartedEverything } from "../src/start-everything.ts";
import { expectedFailures, wrongWith } from "../src/expected-failures.ts";
import { EXTENSIONS, judgeServer, scenariosOf } from "../src/suite.ts";

const seed = Date.now() % 1e6;

/** One of each era: what several nodes share does not differ within an era. */
const REVISIONS = ["2025-11-25", "2026-07-28"];

(await describeValkey())(`on Valkey (seed ${seed})`, () => runEverything("valkey", [...REVISIONS, EXTENSIONS]));
// Of stateless requests the tests of this backplane prove the same; sessions are what all of it takes part in.
if (process.env["OARLOCK_LONG"] === "1")
  (await describePostgres())(`on PostgreSQL (seed ${seed})`, () => runEverything("postgres", REVISIONS.slice(0, 1)));

function runEverything(engine: "valkey" | "postgres", revisions: readonly string[]): void {
  let everything: StartedEverything;
  beforeAll(async () => {
    everything = await startEverythingOn(3, engine, seed);
  });
  afterAll(() => everything[Symbol.asyncDispose]());

  describe.each(revisions)("%s", (revision) => {
    test("passes every server scenario", { timeout: 240_000 }, async () => {
      const { server } = await scenariosOf(revision);
      expect(server.length).toBeGreaterThan(0);
      const expected = expectedFailures(revision, "server");
      const outcomes = await judgeServer(everything.url, revision, server);
      expect(outcomes.flatMap((outcome) => wrongWith(outcome, expected).map((line) => `${outcome.scenario}: ${line}`))).toEqual([]);
    });
  });
}
