// describeBackplane: the contract of a Backplane as a test suite, for every implementation.
import type { Backplane } from "../../src/backplane.ts";
import { afterAll, beforeAll, describe } from "vitest";
import { testBuckets } from "./buckets.ts";
import { testLogLimits } from "./log-limits.ts";
import { testLogs } from "./logs.ts";
import { testMessages } from "./messages.ts";
import type { Nodes } from "./nodes.ts";
import { testOutages, type BackplaneFaults } from "./outages.ts";
import { testRecords } from "./records.ts";
import { testStreams } from "./streams.ts";

export interface DescribeBackplaneOptions {
  /** Faults of the engine. Without them the suite tests no outages. Called when the first test runs. */
  readonly faults?: () => BackplaneFaults;
}

/**
 * Registers the contract tests of a backplane.
 * @param open Opens one more connection to the same engine, as another node would. The suite opens several and closes them.
 * @example
 * let engine: Engine;
 * beforeAll(async () => void (engine = await startEngine()));
 * afterAll(() => engine.stop());
 * describeBackplane("my backplane", () => myBackplane(engine.url), { faults: () => engine });
 */
export function describeBackplane(title: string, open: () => Promise<Backplane>, { faults }: DescribeBackplaneOptions = {}): void {
  describe.for([title])("%s", () => {
    let opened: Nodes | undefined;
    const nodes = (): Nodes => {
      if (opened === undefined) throw new Error("The backplane was not opened.");
      return opened;
    };

    beforeAll(async () => {
      opened = [await open(), await open(), await open()];
    });
    afterAll(async () => {
      await Promise.all((opened ?? []).map((node) => node.close()));
    });

    testRecords(nodes);
    testLogs(nodes);
    testLogLimits(nodes);
    testStreams(nodes);
    testMessages(nodes);
    testBuckets(nodes);
    if (faults !== undefined) testOutages(open, faults);
  });
}
