/** The page, its charts and the README are generated from the stored run. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { expect, test } from "vitest";
import { chart } from "../src/docs/chart.ts";
import { STORED, storedResult, written } from "../src/docs/generated-files.ts";
import type { Result, RowResult } from "../src/table/result.ts";
import { page } from "../src/docs/page.ts";
import { merged, restored, stored } from "../src/table/store.ts";
import { inRepository } from "../src/paths.ts";

const read = (file: string): string => (existsSync(inRepository(file)) ? readFileSync(inRepository(file), "utf8") : "");
const result = storedResult();
const files = result === undefined ? [] : written(result, read("README.md"));

test("has a stored run", () => expect(result?.rows.length).toBeGreaterThan(0));

test.each(files)("%s equals the output of `pnpm bench:docs`", (file, text) => {
  expect(read(file)).toBe(text);
});

test("has no chart of a removed group", () => {
  const charts = readdirSync(inRepository("docs")).filter((name) => /^performance-.*\.svg$/.test(name));
  expect(charts.toSorted()).toEqual(files.flatMap(([file]) => (file.endsWith(".svg") ? [file.replace("docs/", "")] : [])).toSorted());
});

test("draws small charts for light and dark themes", () => {
  for (const [file, text] of files.filter(([name]) => name.endsWith(".svg"))) {
    expect(text.length, file).toBeLessThan(16_000);
    expect(text, file).toContain("prefers-color-scheme:dark");
  }
});

test("stores no name or path of the machine", () => {
  const text = readFileSync(STORED, "utf8");
  expect(text).not.toContain(hostname());
  expect(text).not.toMatch(/"[^"]*(?:\/tmp\/|\/home\/|\/root\/)/);
  expect(statSync(STORED).size).toBeLessThan(100_000);
});

const row: RowResult = {
  group: "Start",
  suite: "start",
  figure: "start ms",
  of: "ours",
  floor: { target: "floor", value: 20 },
  ours: 24,
  ratio: 1.2,
  low: 1.1,
  high: 1.3,
  bar: 1.25,
  stretch: 1.1,
  verdict: "met",
  stretched: false,
  peers: [{ target: "sdk-v1", product: "SDK v1", value: 100, toFloor: 5, ours: 0.24, low: 0.2, high: 0.3 }],
  behind: [],
};

const run = (rows: RowResult[], problems: string[] = []): Result => {
  return {
    at: "2026-11-21",
    command: "",
    machine: { cpu: "x", cores: 2, memoryGiB: 4, node: "v24.0.0" },
    versions: {},
    seconds: 60,
    rows,
    problems,
  };
};

test("restores a stored run with its failed measurements", () => {
  const back = restored(stored(run([{ ...row, ours: NaN }])));
  expect(back.rows).toMatchObject([{ figure: "start ms", ours: NaN, peers: [{ product: "SDK v1", ours: 0.24 }] }]);
});

test("stores a problem without paths of the machine", () => {
  const problem = "- start, x: ENOENT: no such file, open '/tmp/a/b.txt'; stderr: node:fs:1 /home/user";
  expect(restored(stored(run([row], [problem]))).problems).toEqual(["- start, x: ENOENT: no such file, open '…'"]);
});

test("replaces the rows and problems of one suite and keeps the others in their order", () => {
  const stdio: RowResult = { ...row, suite: "stdio", figure: "echo 64B x256 rps" };
  const earlier = run(
    [
      { ...row, ours: 1 },
      { ...stdio, ours: 2 },
    ],
    ["- start, x: broken", "- stdio, x: broken"],
  );
  const after = merged(earlier, run([{ ...row, ours: 3 }]));
  expect(after.rows.map(({ suite, ours }) => [suite, ours])).toEqual([
    ["start", 3],
    ["stdio", 2],
  ]);
  expect(after.problems).toEqual(["- stdio, x: broken"]);
});

test("lists a row that is behind a peer", () => {
  const list = (rows: RowResult[]): string => page(run(rows), new Set());
  expect(list([row])).toContain("No row is behind any peer.");
  expect(list([{ ...row, behind: ["SDK v1"] }])).toContain("- Start, echo: start in ms: behind SDK v1");
});

test("draws bars on a logarithmic scale", () => {
  const svg = chart("Start", [{ ...row, ratio: 10, peers: [{ ...row.peers[0]!, toFloor: 100 }] }]) ?? "";
  const widths = [...svg.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width));
  expect(widths).toHaveLength(2);
  expect(widths[1]! / widths[0]!).toBeCloseTo(2, 1);
});

test("draws cost in a chart where more is better in the figure", () => {
  const svg = chart("stdio", [{ ...row, figure: "echo rps", ratio: 0.5, peers: [] }]) ?? "";
  expect(svg).toContain(">2.00</text>");
});
