// GIT-19 to GIT-26: repositories that bring programs along. Plain git runs them; here every tool, resource, prompt and completion is
// used on them, and nothing runs.
import { existsSync, rmSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeRepository } from "../support/repository.ts";
import { ENTRY_POINTS, tryAll, type EntryPoint } from "./entry-points.ts";
import { caseOf, PAYLOADS, type Payload } from "./payloads.ts";
import { StressRun } from "./stress.ts";

const LONG = process.env["OARLOCK_LONG"] === "1";

/** Payloads that hinder no tool, and of which none hides another one: planted into one repository, each meets the ways into all of them. */
const TOGETHER: readonly (readonly string[])[] = [
  [
    "GIT-19 a file-system monitor",
    "GIT-20 every hook that there is",
    "GIT-22 diff.external",
    "GIT-25 a signer program, always",
    "GIT-26 editors",
    "GIT-26 pagers of everything",
    "GIT-26 a filter of interactive diffs",
    "GIT-26 aliases named like commands",
    "GIT-26 credential helpers and askers",
    "GIT-26 commands of other parts of git",
  ],
  [
    "GIT-19 a monitor in other letters, of another version",
    "GIT-21 a hook path that is tracked",
    "GIT-22 a text converter",
    "GIT-22 a text converter that a search for changes meets",
    "GIT-25 a signer that signs always",
  ],
  ["GIT-22 an external diff of a driver", "GIT-25 signatures by ssh, and a command that finds the key"],
  ["GIT-25 signatures that are always shown", "GIT-25 signatures that a merge verifies"],
];

/** Commands of git that write, among those that run payloads. */
const WRITING: readonly string[] = ["add", "checkout", "commit", "merge"];

/**
 * All ways in where there is time. Else every tool for the first payload of each case. For the others, which differ from it in spelling or moment
 * only, the tool that is named like the command that runs it, and by turns half of those that read or write as that does. Of resources, prompts and
 * completions, which start git as tools that read do, a share for each.
 */
function waysInto({ title, trigger: [command = ""] = [] }: Payload, n: number): readonly EntryPoint[] {
  const isFirst = PAYLOADS.find((one) => caseOf(one.title) === caseOf(title))?.title === title;
  const writes = WRITING.includes(command);
  return ENTRY_POINTS.filter((way, at) => {
    if (LONG) return true;
    if (way.tool === undefined) return at % 4 === n % 4;
    return isFirst || way.tool === `git_${command}` || (way.writes === writes && at % 2 === n % 2);
  });
}

/** The payloads of each repository, and the ways into it. */
const REPOSITORIES: readonly (readonly [title: string, payloads: readonly Payload[], ways: readonly EntryPoint[]])[] = [
  ...TOGETHER.map((titles) => titles.map((title) => PAYLOADS.find((payload) => payload.title === title)!)),
  ...PAYLOADS.filter(({ title }) => LONG || !TOGETHER.flat().includes(title)).map((payload) => [payload]),
].map((payloads, n) => {
  const ways = new Set(payloads.flatMap((payload) => waysInto(payload, n)));
  return [payloads.map(({ title }) => title).join(", "), payloads, ENTRY_POINTS.filter((way) => ways.has(way))] as const;
});

let stress: StressRun;

beforeAll(async () => {
  stress = new StressRun({});
  for (const [n, [, payloads]] of REPOSITORIES.entries()) {
    const repository = stress.repository(`r${n}`);
    for (const { plant } of payloads) plant(repository, `touch '${stress.executionMark}'`);
  }
  rmSync(stress.executionMark, { force: true });
  await stress.start();
});

afterAll(() => stress[Symbol.asyncDispose]());

test.each(REPOSITORIES.map(([title, payloads, ways], n) => [title, n, payloads, ways] as const))(
  "%s: runs nothing",
  async (_, n, payloads, ways) => {
    const outcomes = await tryAll(stress, stress.at(`r${n}`), (entryPoint) => ways.includes(entryPoint));
    expect(outcomes.length).toBe(ways.length);
    // None of those that share a repository may keep the others from being met; of the ways over the network only that with a remote leads on.
    if (payloads.length > 1) expect(outcomes.filter(({ text }) => /^Refused(?!.*how the network is used)/.test(text))).toEqual([]);
    try {
      await stress.checkRules();
    } finally {
      rmSync(stress.executionMark, { force: true });
    }
  },
);

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
