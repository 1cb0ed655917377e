/** The official suite, one test for each scenario and revision, against real processes. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectedFailures, expectedIn, wrongWith } from "../src/expected-failures.ts";
import { startEverything, type StartedEverything } from "../src/start-everything.ts";
import { EXTENSIONS, judgeClients, judgeServer, requirementsOf, REVISIONS, scenariosOf, type Outcome } from "../src/suite.ts";

const listed = await Promise.all([...REVISIONS, EXTENSIONS].map(async (revision) => ({ revision, ...(await scenariosOf(revision)) })));

let everything: StartedEverything;
beforeAll(async () => {
  everything = await startEverything();
});
afterAll(() => everything[Symbol.asyncDispose]());

describe.each(listed)("$revision", ({ revision, server, client }) => {
  let served: Outcome[];
  let connected: Outcome[];
  beforeAll(async () => {
    served = await judgeServer(everything.url, revision, server);
    connected = await judgeClients(revision, client);
  });
  const outcomeOf = (outcomes: readonly Outcome[], scenario: string): Outcome => {
    const outcome = outcomes.find((one) => one.scenario === scenario);
    if (outcome === undefined) throw new Error(`The suite did not run ${scenario}.`);
    return outcome;
  };

  test.each(server)(`${revision} server %s`, (scenario) => {
    expect(wrongWith(outcomeOf(served, scenario), expectedFailures(revision, "server"))).toEqual([]);
  });

  test.each(client)(`${revision} client %s`, (scenario) => {
    expect(wrongWith(outcomeOf(connected, scenario), expectedFailures(revision, "client"))).toEqual([]);
  });
});

describe.each(listed.filter(({ revision }) => revision >= "2025-11-25" && revision !== EXTENSIONS))(
  "scenarios of $revision",
  ({ revision, ...scenarios }) => {
    // Before, the suite had no such list.
    test.each(["server", "client"] as const)("%s runs all required scenarios", (leg) => {
      const required = expectedIn(requirementsOf(revision), leg);
      expect(required.length).toBeGreaterThan(0);
      expect(required.filter((name) => !scenarios[leg].includes(name))).toEqual([]);
    });
  },
);
