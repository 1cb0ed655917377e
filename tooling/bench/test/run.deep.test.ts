/** The command of the bench, run as a process. The long tier adds what it says of missed bars, broken servers and wrong usage, and the memory server. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { IN_LONG_RUNS } from "@oarlock-tooling/test-support/long-tier";
import { expect, test } from "vitest";

const run = fileURLToPath(new URL("../src/run.ts", import.meta.url));

function bench(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [run, ...args], { encoding: "utf8" });
}

const floor = fileURLToPath(new URL("../peers/floor-stdio.mjs", import.meta.url));
const beside = ["start", "--compare", `A=node ${floor}`, "floor"];

test("stores every round as JSON, and exits with 0 for a met bar", () => {
  const folder = mkdtempSync(join(tmpdir(), "oarlock-bench-"));
  try {
    const file = join(folder, "deep", "result.json");
    expect(bench(...beside, "--rounds", "2", "--json", file, "--bar", "start ms <= 1000")).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/start ms .* met \|/),
    });
    const { suites } = JSON.parse(readFileSync(file, "utf8"));
    const figures = ["start ms", "start cpu ms", "start peak MiB", "then tools/list ms"];
    expect(suites[0].raw.floor.map((round: object) => Object.keys(round))).toEqual([figures, figures]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each(["start ms <= 0.001", "no such figure <= 1000"])("exits with 1 for the missed bar %s", IN_LONG_RUNS, (bar) => {
  const [figure] = bar.split(" <=");
  expect(bench(...beside, "--rounds", "1", "--bar", bar)).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(new RegExp(`${figure} .* missed \\|`)),
  });
});

test("fails and prints the problem when a server exits", IN_LONG_RUNS, () => {
  const { status, stdout } = bench("start", "--rounds", "2", "--cmd", "broken=node --eval 'console.error(`no luck`)'");
  expect(stdout).toContain("- start, broken: the server ended; stderr: no luck");
  expect(status).toBe(1);
});

test("exits with 2 for wrong usage before it measures", IN_LONG_RUNS, () => {
  expect(bench("--quick", "--bar", "start ms <= 1")).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("name one") });
});

test("measures the memory server, whose replies have notes before the data", IN_LONG_RUNS, () => {
  const figure = "search for many at 10k ms";
  expect(bench("memory", "--quick", "--target", "ours-memory", "--figures", figure)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(new RegExp(`${figure} +\\| +[\\d.]+ \\|`)),
  });
});

test("names unknown peers and installs nothing", IN_LONG_RUNS, () => {
  const install = fileURLToPath(new URL("../src/peers/install.ts", import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--conditions=oarlock-source", install, "tmcp", "--help"], {
    encoding: "utf8",
  });
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(/^pnpm bench:peers \[GROUP\]…: --help is none of dbhub, .*tmcp\n$/);
});
