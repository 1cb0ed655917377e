// Dates without a time of day limit a history by whole days, whatever the time is now.
import { expect, test } from "vitest";
import { dateArguments } from "../../../src/repo/refs/date-range.ts";
import { makeRepository } from "../../support/repository.ts";
import { world } from "../../support/world.ts";
import { tempFolder } from "@oarlock/testing";

const git = "/usr/bin/git";
const DAY = "2023-11-14";

test.each([
  DAY,
  `${DAY}Z`,
  `${DAY} +0000`,
  "2023/11/14",
  "20231114",
  " 14.11.2023",
  "11/14/2023",
  "Nov 14 2023",
  "14 Nov 2023",
  "14th of November 2023",
  "Tue, 14 Nov 2023",
  "november 14, 2023",
])("reads %j as the whole day", async (text) => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("project"));
  const [since = "", until = ""] = await dateArguments({ git }, { since: text, until: text });
  const seconds = repository.git("rev-parse", since, until).replaceAll(/--m..-age=/g, "");
  const start = Date.UTC(2023, 10, 14) / 1000;
  expect(seconds.split("\n").map(Number)).toEqual([start, start + 86_399]);
});

test.each(["2023-11-14T22:30:00Z", "Nov 14 2023 12:30", "2 weeks ago", "1700000000", "yesterday noon", "now", "last month"])(
  "leaves %j as it is",
  async (text) => {
    expect(await dateArguments({ git }, { since: text, until: text })).toEqual([`--since=${text}`, `--until=${text}`]);
  },
);

test.each(["today", "yesterday", "last friday", "Last Fri"])("reads %j as the whole day of the clock", async (text) => {
  expect(await dateArguments({ git }, { since: text, until: text })).toEqual([`--since=${text} 00:00:00`, `--until=${text} 23:59:59`]);
});

test("keeps the commits of the first and of the last day in log, shortlog, and prompt", async () => {
  await using at = await world();
  const { repository } = at;
  for (const [message, time] of [
    ["before", "2023-11-19T23:59:59Z"],
    ["first", "2023-11-20T00:00:00Z"],
    ["last", "2023-11-21T23:59:59Z"],
    ["after", "2023-11-22T00:00:00Z"],
  ] as const)
    repository.commit(message, {}, { GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time });
  const range = { start_timestamp: "2023-11-20", end_timestamp: "2023-11-21" };
  const { data } = await at.call("git_log", range);
  expect((data["commits"] as { subject: string }[]).map(({ subject }) => subject)).toEqual(["last", "first"]);
  expect((await at.call("git_shortlog", range)).text).toContain("2 commits by 1 author");
  const { messages } = await at.client.prompt("summarize_history", { since: "2023-11-21" });
  expect(JSON.stringify(messages)).toMatch(/: after\\n[^]*: last/);
});

test("finds a commit of this day with today", async () => {
  await using at = await world();
  const now = new Date().toISOString();
  at.repository.commit("just now", {}, { GIT_AUTHOR_DATE: now, GIT_COMMITTER_DATE: now });
  expect((await at.call("git_log", { start_timestamp: "today", end_timestamp: "today", oneline: true })).text).toContain("just now");
});
