/** The short soak: seconds of mixed load on every transport and every server in parallel. */
import { beforeAll, describe, expect, test } from "vitest";
import { SHORT_BOUNDS } from "../src/growth.ts";
import { SHORT } from "../src/profiles.ts";
import { wrongIn } from "../src/report.ts";
import { soak, type Soaked } from "../src/soak.ts";
import { TARGETS } from "../src/targets/all.ts";

const soaked = new Map<string, Soaked | Error>();

beforeAll(async () => {
  const run = async (at: number): Promise<void> => {
    const target = TARGETS[at]!;
    soaked.set(target.name, await soak(target, SHORT).catch((error: Error) => error));
  };
  await Promise.all(TARGETS.map((_, at) => run(at)));
}, 600_000);

describe.each(TARGETS)("$name", ({ name }) => {
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
