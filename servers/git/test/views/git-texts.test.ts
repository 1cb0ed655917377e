// What the views of the git server read from the text of replies, for hosts that drop structuredContent.
import { afterAll, beforeAll, expect, test } from "vitest";
import { world, type World } from "../support/world.ts";
import { AgeScale } from "../../views/blame/ages.ts";
import { hunksInText, linesInText } from "../../views/blame/blame-text.ts";
import { filesInText } from "../../views/diff/patch-text.ts";
import { commitsInText } from "../../views/history/log-text.ts";

let at: World;
beforeAll(async () => {
  at = await world({ tree: { "a b.txt": "one\n", "gone.txt": "1\n2\n" } });
  at.repository.git("rm", "--quiet", "gone.txt");
  at.repository.commit("second\n\nCommit: not one\ndiff --git a/x b/x", {
    "a b.txt": "one\ntwo\n",
    "odd.txt": "carriage\rreturn\nline\u2028separator\nparagraph\u2029separator\nlast\n",
    "package-lock.json": "{}\n".repeat(3000),
  });
});
afterAll(() => at[Symbol.asyncDispose]());

test("parses the files, paths and counts of a diff without its notices", async () => {
  const { text } = await at.call("git_diff", { target: "HEAD~1..HEAD" });
  const files = filesInText(text);
  expect(files.map(({ path, additions, deletions }) => [path, additions, deletions])).toEqual([
    ["a b.txt", 1, 0],
    ["gone.txt", 0, 2],
    ["odd.txt", 4, 0],
  ]);
  expect(files.at(-1)?.patch).not.toContain("left out");
});

test("parses the lines of a blame, whatever separators they contain", async () => {
  const { text, data } = await at.call("git_blame", { path: "odd.txt", revision: "HEAD" });
  expect([...linesInText(text)]).toEqual([
    [1, "carriage\rreturn"],
    [2, "line\u2028separator"],
    [3, "paragraph\u2029separator"],
    [4, "last"],
  ]);
  const [hunk] = data["hunks"] as { hash: string }[];
  expect(hunksInText(text)).toMatchObject([{ startLine: 1, endLine: 4, summary: "second", hash: hunk?.hash.slice(0, 12) }]);
});

test("scales ages from 0 for the oldest date to 1 for the newest", () => {
  const scale = new AgeScale();
  scale.add(["2026-01-01", "no date", "2026-01-05"]);
  expect(["2026-01-01", "2026-01-02", "2026-01-05", "no date"].map((date) => scale.shareOf(date))).toEqual([0, 0.25, 1, 1]);
});

test("parses the commits of a history", async () => {
  const { text, data } = await at.call("git_log");
  const facts = (data["commits"] as { hash: string; author: string; date: string; subject: string }[]).map(
    ({ hash, author, date, subject }) => [hash, author, date, subject],
  );
  expect(commitsInText(text).map(({ hash, author, date, subject }) => [hash, author, date, subject])).toEqual(facts);
});
