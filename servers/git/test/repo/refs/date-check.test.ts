// Dates of callers: what git understands is accepted, and what git would silently read as another time is refused.
import { expect, test } from "vitest";
import { checkDate } from "../../../src/repo/refs/date-check.ts";
import { world } from "../../support/world.ts";

const git = "/usr/bin/git";

test.each([
  "2023-11-14",
  "2023-11-14 22:30",
  "2023-11-14T22:30:00Z",
  "2023-11-14T22:30:00.123+02:00",
  "2023-11-14 22:30:00 +0000",
  "Tue, 14 Nov 2023 22:13:20 +0000",
  "14.11.2023",
  "11/14/2023",
  "1700000000",
  "2 weeks ago",
  "2.weeks.ago",
  "last friday at noon",
  "yesterday",
  "today",
  "now",
  "Nov 14",
])("accepts the date %s", async (text) => {
  await expect(checkDate({ git }, text)).resolves.toBeUndefined();
});

test.each([
  "nonsense",
  "",
  "2 bananas ago",
  "next friday",
  "a week ago",
  "week ago",
  "friday",
  "86400",
  "20231120",
  "2023-W47",
  "2023-324",
  "2023-11-20T10",
  "2023-13-45",
  "2023-02-30",
  "2023-11-14 25:99",
  "1700000000000",
  "Europe/Berlin",
  "14 Novemberish 2023",
])("refuses %j as a date and names accepted forms", async (text) => {
  await expect(checkDate({ git }, text)).rejects.toThrow(/^Date "[^]*" is not one that git understands\. Give an ISO 8601 date/);
});

test.each(["2026", "2026-10", "2026/10", "October 2026", "march", "last may", "noon oct 2026", "Sept. 12:30"])(
  "refuses %j as a date, which git would read as the current day and time",
  async (text) => {
    await expect(checkDate({ git }, text)).rejects.toThrow(/^Date "[^]*" has no day: .* Give the day too, such as 2026-01-31\.$/);
  },
);

test.each(["Oct 5", "5th of October 2026", "october.5", "12:30 Oct 5", "3 months ago", "last year"])(
  "accepts the date %s with its day",
  async (text) => {
    await expect(checkDate({ git }, text)).resolves.toBeUndefined();
  },
);

test("refuses a time before the reflog, which git would read as its oldest entry", async () => {
  await using at = await world({ tree: { a: "a" } });
  for (const revision of ["main@{5 years ago}", "HEAD@{2001-02-03}", "main@{5 years ago}^{tree}"])
    expect(await at.failure("git_show", { revision })).toMatch(
      /^Revision ".*" is older than its reflog, which goes back to .*\. git_log with end_timestamp/,
    );
  expect((await at.call("git_show", { revision: "main@{now}" })).text).toContain("Message: first");
});

test("git_log, the prompt summarize_history and revisions refuse a text that is not a date", async () => {
  await using at = await world({ tree: { a: "a" } });
  for (const args of [{ start_timestamp: "nonsense" }, { end_timestamp: "nonsense" }, { revision: "main@{nonsense 1}" }])
    expect(await at.failure("git_log", args)).toContain("is not one that git understands");
  await expect(at.client.prompt("summarize_history", { since: "nonsense" })).rejects.toThrow("is not one that git understands");
  expect(await at.failure("git_show", { revision: "HEAD@{2 bananas ago}" })).toContain("is not one that git understands");
  expect((await at.call("git_show", { revision: "HEAD@{0}" })).text).toContain("Message: first");
});
