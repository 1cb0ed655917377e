/** The target table: everything that it names exists, and no peer is missing. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { barsOf } from "../src/bars.ts";
import { GROUPS, lockedIn } from "../src/peers/groups.ts";
import type { Measured } from "../src/rounds.ts";
import { SUITES } from "../src/suites/all.ts";
import { peersOf, rowResult } from "../src/table/result.ts";
import { ALL_ROWS, type Row } from "../src/table/rows.ts";
import { TARGETS, targetNamed } from "../src/targets.ts";

test.each(ALL_ROWS)("$of, $figure: names existing suites, targets and limits", (row) => {
  expect(SUITES.has(row.suite)).toBe(true);
  expect(targetNamed(row.of).role).toBe("ours");
  if (row.floor !== undefined) expect(targetNamed(row.floor)).toMatchObject({ role: "floor", kind: targetNamed(row.of).kind });
  const peers = peersOf(row).map(({ name }) => name);
  expect(peers).toEqual(expect.arrayContaining(Object.keys(row.beside ?? {})));
});

test("gives each target a name of its own", () => {
  expect(new Set(TARGETS.map(({ name }) => name)).size).toBe(TARGETS.length);
});

test("weighs exactly the peers that it starts", () => {
  const started = new Set(
    TARGETS.filter(({ role, kind }) => role === "peer" && kind !== "package").map(({ name }) => name.replace(/-low|-http/g, "")),
  );
  const weighed = TARGETS.filter(({ role, kind }) => role === "peer" && kind === "package").map(({ name }) => name.replace("-package", ""));
  expect(weighed.toSorted()).toEqual([...started].toSorted());
});

const row: Row = {
  group: "g",
  suite: "stdio",
  figure: "echo 64B x256 rps",
  of: "ours",
  floor: "floor",
  bar: 0.5,
  stretch: 0.65,
  beside: { "sdk-v1": 3.5 },
};

function measured(figures: Record<string, number[]>, figure = row.figure): Measured {
  const rounds = (values: readonly number[]) => values.map((value) => ({ [figure]: value }));
  const raw = new Map(Object.entries(figures).map(([target, values]) => [target, rounds(values)]));
  return { name: "stdio", about: "", rounds: 1, seconds: 1, problems: [], raw };
}

describe("a row", () => {
  test("lists the best peer first, with our ratio to it", () => {
    const result = rowResult(row, [measured({ ours: [60], floor: [100], "sdk-v1": [10], tmcp: [20] })]);
    expect(result).toMatchObject({ ours: 60, ratio: 0.6, verdict: "met", stretched: false, behind: [] });
    expect(result.peers).toMatchObject([
      { product: "tmcp", ours: 3, toFloor: 0.2 },
      { product: "SDK v1", ours: 6, limit: 3.5, verdict: "met" },
    ]);
  });

  test("names the peers ahead of ours, for figures where more or less is better", () => {
    expect(rowResult(row, [measured({ ours: [60], floor: [100], tmcp: [61] })]).behind).toEqual(["tmcp"]);
    const less = { ...row, figure: "list x16 server cpu us" };
    expect(rowResult(less, [measured({ ours: [60], floor: [100], tmcp: [61] }, less.figure)]).behind).toEqual([]);
    expect(rowResult(less, [measured({ ours: [62], floor: [100], tmcp: [61] }, less.figure)]).behind).toEqual(["tmcp"]);
  });

  test("omits a peer without a figure, and misses the bar if ours has none", () => {
    expect(rowResult(row, [measured({ ours: [60], floor: [100], tmcp: [NaN] })]).peers).toEqual([]);
    expect(rowResult(row, [measured({ ours: [NaN], floor: [100] })]).verdict).toBe("missed");
    expect(rowResult(row, []).verdict).toBe("missed");
  });

  test("can use another figure for ours", () => {
    const other: Row = { ...row, instead: { figure: "ping x256 rps", why: "w" } };
    const both = (rps: number, ping: number) => [{ "echo 64B x256 rps": rps, "ping x256 rps": ping }];
    const run = { ...measured({}), raw: new Map(Object.entries({ ours: both(1, 60), floor: both(100, 1) })) };
    expect(rowResult(other, [run])).toMatchObject({ ours: 60, ratio: 0.6, verdict: "met", note: "Here w." });
  });

  test("gives a bar for the floor and one for each limit beside a peer", () => {
    expect(barsOf(row)).toMatchObject([
      { to: "floor", op: ">=", limit: 0.5 },
      { to: "sdk-v1", op: ">=", limit: 3.5 },
    ]);
  });
});

test.each(GROUPS)("pins the peers in %s without naming a registry", (group) => {
  const [manifest, lock] = ["package.json", "package-lock.json"].map((name) => readFileSync(join(lockedIn(group), name), "utf8")) as [
    string,
    string,
  ];
  const { dependencies } = JSON.parse(manifest);
  expect(Object.values<string>(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  expect(JSON.parse(lock).packages[""].dependencies).toEqual(dependencies);
  expect(lock).not.toContain('"resolved"');
  const packages = Object.entries<{ integrity?: string }>(JSON.parse(lock).packages).filter(([path]) => path !== "");
  expect(packages.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([]);
});
