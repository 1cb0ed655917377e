// GIT-19 to GIT-26: repositories that bring programs along. Plain git runs them; here every tool, resource, prompt and completion is
// used on them, and nothing runs.
import { existsSync, rmSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeRepository } from "../support/repository.ts";
import { ENTRY_POINTS, tryAll, type EntryPoint } from "./entry-points.ts";
import { caseOf, PAYLOADS, type Payload } from "./payloads.ts";
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

const LONG = process.env["OARLOCK_LONG"] === "1";

/** Commands of git that write, among those that run payloads. */
const WRITING: readonly string[] = ["add", "checkout", "commit", "merge"];

/**
 * All ways in where there is time. Else every tool for the first payload of each case and for those that no command is known to run; for the others,
 * which differ from the first in spelling or moment only, the tools that read or those that write, as the command does that runs it. Of resources,
 * prompts and completions, which start git as tools that read do, a share for each.
 */
function waysInto({ title, trigger: [command] = [] }: Payload, n: number): readonly EntryPoint[] {
  const isFirst = PAYLOADS.find((one) => caseOf(one.title) === caseOf(title))?.title === title;
  const writes = command !== undefined && WRITING.includes(command);
  return ENTRY_POINTS.filter(
    (way, at) => LONG || (way.tool === undefined ? at % 4 === n % 4 : isFirst || command === undefined || way.writes === writes),
  );
}

test.each(PAYLOADS.map((payload, n) => ({ ...payload, n })))("$title: runs nothing", async ({ n, ...payload }) => {
  const { title } = payload;
  const wanted = waysInto(payload, n);
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
