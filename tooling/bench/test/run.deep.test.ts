/** The command of the bench, run as a process on the floor only. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const run = fileURLToPath(new URL("../src/run.ts", import.meta.url));

function bench(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [run, ...args], { encoding: "utf8" });
}

const beside = [
  "start",
  "--rounds",
  "1",
  "--compare",
  "A=node " + fileURLToPath(new URL("../peers/floor-stdio.mjs", import.meta.url)),
  "floor",
];

test("exits with 1 for a missed bar", () => {
  expect(bench(...beside, "--bar", "start ms <= 1000")).toMatchObject({ status: 0, stdout: expect.stringMatching(/start ms .* met \|/) });
  expect(bench(...beside, "--bar", "start ms <= 0.001")).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/start ms .* missed \|/),
  });
  expect(bench(...beside, "--bar", "no such figure <= 1000")).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/no such figure .* missed \|/),
  });
});

test("fails and prints the problem when a server exits", () => {
  const { status, stdout } = bench("start", "--rounds", "2", "--cmd", "broken=node --eval 'console.error(`no luck`)'");
  expect(stdout).toContain("- start, broken: the server ended; stderr: no luck");
  expect(status).toBe(1);
});

test("names an unknown option, suite or target", () => {
  expect(bench("begin")).toMatchObject({ status: 2, stderr: expect.stringContaining("unknown suite: begin") });
  expect(bench("--target", "moon")).toMatchObject({ status: 2, stderr: expect.stringContaining("unknown target: moon") });
  expect(bench("start", "--rounds", "0")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("--rounds: expected a whole number above 0, got 0"),
  });
});

test("reports a bar that cannot be judged before it measures", () => {
  expect(bench("start", "--target", "floor", "--bar", "start ms < 1")).toEqual(
    expect.objectContaining({
      status: 2,
      stdout: "",
      stderr: "--bar: expected 'FIGURE <= RATIO' or 'FIGURE >= RATIO', got start ms < 1\n",
    }),
  );
  expect(bench("--quick", "--bar", "start ms <= 1")).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("name one") });
});

test("stores every round as JSON", () => {
  const folder = mkdtempSync(join(tmpdir(), "oarlock-bench-"));
  try {
    const file = join(folder, "deep", "result.json");
    expect(bench("start", "--rounds", "2", "--target", "floor", "--json", file).status).toBe(0);
    const { suites } = JSON.parse(readFileSync(file, "utf8"));
    const figures = ["start ms", "start cpu ms", "start peak MiB", "then tools/list ms"];
    expect(suites[0].raw.floor.map((round: object) => Object.keys(round))).toEqual([figures, figures]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("measures the memory server, whose replies have notes before the data", () => {
  const figure = "search for many at 10k ms";
  expect(bench("memory", "--quick", "--target", "ours-memory", "--figures", figure)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(new RegExp(`${figure} +\\| +[\\d.]+ \\|`)),
  });
});

test("names unknown peers and installs nothing", () => {
  const install = fileURLToPath(new URL("../src/peers/install.ts", import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--conditions=oarlock-source", install, "tmcp", "--help"], {
    encoding: "utf8",
  });
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(/^pnpm bench:peers \[GROUP\]…: --help is none of dbhub, .*tmcp\n$/);
});
