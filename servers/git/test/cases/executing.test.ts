// GIT-19 to GIT-26: repositories that bring programs along. Plain git runs them; here every tool, resource, prompt and completion is
// used on them, and nothing runs.
import { existsSync, rmSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeRepository } from "../support/repository.ts";
import { ENTRANCES, tryAll } from "./entry-points.ts";
import { PAYLOADS } from "./payloads.ts";
import { Siege } from "./stress.ts";

let siege: Siege;

const nameOf = (title: string): string => title.replaceAll(/[^A-Za-z0-9]+/g, "-");

beforeAll(async () => {
  siege = new Siege();
  for (const { title, plant } of PAYLOADS) plant(siege.repository(nameOf(title)), `touch '${siege.mark}'`);
  rmSync(siege.mark, { force: true });
  await siege.begin();
});

afterAll(() => siege[Symbol.asyncDispose]());

/** All ways in where there is time; else every tool, and of the rest a share for each. */
const LONG = process.env["OARLOCK_LONG"] === "1";

test.each(PAYLOADS.map((payload, n) => ({ ...payload, n })))("$title: nothing runs", async ({ title, n }) => {
  const wanted = ENTRANCES.filter(({ tool }, at) => LONG || tool !== undefined || at % 4 === n % 4);
  const outcomes = await tryAll(siege, siege.at(nameOf(title)), (entrance) => wanted.includes(entrance));
  expect(outcomes.length).toBe(wanted.length);
  try {
    await siege.judge();
  } finally {
    rmSync(siege.mark, { force: true });
  }
});

test.each(PAYLOADS.filter(({ trigger }) => trigger !== undefined))("$title: plain git runs it", async ({ title, trigger = [], plant }) => {
  await using folder = tempFolder();
  const mark = folder.at("MARK");
  const repo = makeRepository(folder.at("r"), { "f.txt": "one\n" });
  plant(repo, `touch '${mark}'`);
  rmSync(mark, { force: true });
  repo.raw(trigger, { loose: true, input: "url=https://example.invalid\n" });
  expect({ title, ran: existsSync(mark) }).toEqual({ title, ran: true });
});
