// What the views of the git server read from the text of replies, for hosts that hand on no structured content.
import { afterAll, beforeAll, expect, test } from "vitest";
import { world, type World } from "../../../servers/git/test/support/world.ts";
import { filesInText } from "../../../servers/git/views/diff/patch-text.ts";
import { commitsInText } from "../../../servers/git/views/history/log-text.ts";

let at: World;
beforeAll(async () => {
  at = await world({ tree: { "a b.txt": "one\n", "gone.txt": "1\n2\n" } });
  at.repository.git("rm", "--quiet", "gone.txt");
  at.repository.commit("second\n\nCommit: not one\ndiff --git a/x b/x", {
    "a b.txt": "one\ntwo\n",
    "package-lock.json": "{}\n".repeat(3000),
  });
});
afterAll(() => at[Symbol.asyncDispose]());

test("the text of a diff has its files with paths and counts, without the notices", async () => {
  const { text } = await at.call("git_diff", { target: "HEAD~1..HEAD" });
  const files = filesInText(text);
  expect(files.map(({ path, additions, deletions }) => [path, additions, deletions])).toEqual([
    ["a b.txt", 1, 0],
    ["gone.txt", 0, 2],
  ]);
  expect(files.at(-1)?.patch).not.toContain("left out");
});

test("the text of a history has its commits", async () => {
  const { text, data } = await at.call("git_log");
  const facts = (data["commits"] as { hash: string; author: string; date: string; subject: string }[]).map(
    ({ hash, author, date, subject }) => [hash, author, date, subject],
  );
  expect(commitsInText(text).map(({ hash, author, date, subject }) => [hash, author, date, subject])).toEqual(facts);
});
