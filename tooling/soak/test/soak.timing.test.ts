/**
 * The short soak: seconds of mixed load on a built server over HTTP, in both eras and on the older endpoints. The long tier adds the other servers
 * and the transports of the kit, in parallel, and `pnpm soak` half an hour of everything.
 */
import { isLong } from "@oarlock-tooling/test-support/long-tier";
import { beforeAll, describe, expect, test } from "vitest";
import { SHORT_BOUNDS } from "../src/growth.ts";
import { SHORT } from "../src/profiles.ts";
import { wrongIn } from "../src/report.ts";
import { soak, type Soaked } from "../src/soak.ts";
import { TARGETS } from "../src/targets/all.ts";
import type { Target } from "../src/targets/target.ts";

/** Of those that are left out, each shows by itself what two others show together. */
const LEFT_OUT = ["stdio modern", "filesystem stdio", "git http", "sqlite http", "memory stdio"];
const SOAKED = TARGETS.filter(({ name }) => (isLong ? !LEFT_OUT.includes(name) : name === "memory http"));

const soaked = new Map<string, Soaked | Error>();

beforeAll(async () => {
  const run = async (target: Target): Promise<void> => {
    soaked.set(target.name, await soak(target, SHORT).catch((error: Error) => error));
  };
  await Promise.all(SOAKED.map(run));
}, 600_000);

describe.each(SOAKED)("$name", ({ name }) => {
  test("has no growth, no leftovers and no faults", () => {
    const one = soaked.get(name);
    if (one instanceof Error || one === undefined) throw one ?? new Error("not run");
    expect(wrongIn(one, SHORT_BOUNDS)).toEqual([]);
  });

  test("ran every act of the load", () => {
    const one = soaked.get(name);
    if (one instanceof Error || one === undefined) throw one ?? new Error("not run");
    expect(Object.keys(one.acts).length).toBeGreaterThan(15);
    expect(one.samples.length).toBeGreaterThan(5);
  });
});
