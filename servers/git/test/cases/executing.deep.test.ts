// GIT-19 to GIT-26: repositories that bring programs along. Plain git runs them; here every tool, resource, prompt and completion is
// used on them, and nothing runs.
import { existsSync, rmSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeRepository } from "../support/repository.ts";
import { ENTRY_POINTS, tryAll } from "./entry-points.ts";
import { PAYLOADS } from "./payloads.ts";
import { StressRun } from "./stress.ts";

let stress: StressRun;

const nameOf = (title: string): string => title.replaceAll(/[^A-Za-z0-9]+/g, "-");

beforeAll(async () => {
  stress = new StressRun({});
  for (const { title, plant } of PAYLOADS) plant(stress.repository(nameOf(title)), `touch '${stress.executionMark}'`);
  rmSync(stress.executionMark, { force: true });
  await stress.start();
});

afterAll(() => stress[Symbol.asyncDispose]());

/** All ways in where there is time; else every tool, and of the rest a share for each. */
const LONG = process.env["OARLOCK_LONG"] === "1";

test.each(PAYLOADS.map((payload, n) => ({ ...payload, n })))("$title: runs nothing", async ({ title, n }) => {
  const wanted = ENTRY_POINTS.filter(({ tool }, at) => LONG || tool !== undefined || at % 4 === n % 4);
  const outcomes = await tryAll(stress, stress.at(nameOf(title)), (entryPoint) => wanted.includes(entryPoint));
  expect(outcomes.length).toBe(wanted.length);
  try {
    await stress.checkRules();
  } finally {
    rmSync(stress.executionMark, { force: true });
  }
});

test.each(PAYLOADS.filter(({ trigger }) => trigger !== undefined))(
  "$title: runs under plain git",
  async ({ title, trigger = [], plant }) => {
    await using folder = tempFolder();
    const mark = folder.at("MARK");
    const repo = makeRepository(folder.at("r"), { "f.txt": "one\n" });
    plant(repo, `touch '${mark}'`);
    rmSync(mark, { force: true });
    repo.raw(trigger, { loose: true, input: "url=https://example.invalid\n" });
    expect({ title, ran: existsSync(mark) }).toEqual({ title, ran: true });
  },
);
