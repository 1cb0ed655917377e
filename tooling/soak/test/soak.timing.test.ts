/** The short soak: seconds of mixed load on every transport of the kit, and on each server over one, in parallel. */
import { beforeAll, describe, expect, test } from "vitest";
import { SHORT_BOUNDS } from "../src/growth.ts";
import { SHORT } from "../src/profiles.ts";
import { wrongIn } from "../src/report.ts";
import { soak, type Soaked } from "../src/soak.ts";
import { TARGETS } from "../src/targets/all.ts";
import type { Target } from "../src/targets/target.ts";

/**
 * What the kit holds shows on its own server, that of its pipes in sessions and that of stateless requests over HTTP; what a server holds does not
 * depend on the transport. `pnpm soak` runs these too.
 */
const LONG_ONLY = ["stdio modern", "filesystem stdio", "git http", "sqlite http", "memory stdio"];
const SHORT_TARGETS = TARGETS.filter(({ name }) => !LONG_ONLY.includes(name));

const soaked = new Map<string, Soaked | Error>();

beforeAll(async () => {
  const run = async (target: Target): Promise<void> => {
    soaked.set(target.name, await soak(target, SHORT).catch((error: Error) => error));
  };
  await Promise.all(SHORT_TARGETS.map(run));
}, 600_000);

describe.each(SHORT_TARGETS)("$name", ({ name }) => {
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
