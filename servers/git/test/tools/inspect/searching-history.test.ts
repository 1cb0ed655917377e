// Where in the history something happened: git_bisect, git_shortlog, git_log by lines and patterns, and sizes of a range.
import { expect, test } from "vitest";
import { cloneOf, makeRepository } from "../../support/repository.ts";
import { world, worldOf } from "../../support/world.ts";
import { tempFolder } from "@oarlock/testing";

const hashes = (data: Record<string, unknown>): string[] => (data["commits"] as { hash: string }[]).map(({ hash }) => hash);

test("git_bisect finds where a text or a path came or went", async () => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("project")).fill(40, 3);
  const gone = repository.commit("gone", { "file-1.txt": "nothing\n", "new/x.txt": "x -- y\n" });
  repository.commit("after", { "a.txt": "a\n" });
  const first = repository.git("rev-list", "--max-parents=0", "HEAD");
  await using at = await worldOf(folder, repository);
  const found = await at.call("git_bisect", { good: first, text: "x -- y" });
  expect(found.data).toMatchObject({ hash: gone, change: "appeared", subject: "gone" });
  expect(Number(found.data["steps"])).toBeLessThan(10);
  expect(found.text).toMatch(new RegExp(`^First commit where it appeared \\(\\d+ commits were looked at\\):\\nCommit: ${gone}\\n`));
  expect(found.text).toContain("M\tfile-1.txt");
  expect((await at.call("git_bisect", { good: "HEAD~5", text: "revision", path: "file-1.txt" })).data).toMatchObject({
    hash: gone,
    change: "disappeared",
  });
  expect((await at.call("git_bisect", { good: first, path: "new" })).data).toMatchObject({ hash: gone });
  const tenth = repository.git("log", "--format=%H", "-S", "revision 9\n".trim(), "--", "file-0.txt").split("\n").at(-1);
  expect((await at.call("git_bisect", { good: first, bad: "HEAD~31", text: "revision 9" })).data).toMatchObject({ hash: tenth });
});

test("git_bisect refuses ends that do not differ, or are not in order", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.commit("second", { "b.txt": "b\n" });
  expect(await at.failure("git_bisect", { good: "HEAD~1", text: "a" })).toMatch(/^Text "a" is in both good and bad: /);
  expect(await at.failure("git_bisect", { good: "HEAD~1", text: "zzz", path: "b.txt" })).toMatch(
    /^Text "zzz" is in neither good nor bad in b\.txt: /,
  );
  expect(await at.failure("git_bisect", { good: "HEAD", bad: "HEAD~1", path: "b.txt" })).toMatch(/^good is not an ancestor of bad/);
  expect(await at.failure("git_bisect", { good: "HEAD~1" })).toMatch(/^Nothing to look for/);
});

test("git_shortlog counts as git does", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const { repository } = at;
  repository.commit("b", { "b.txt": "b\n" }, { GIT_AUTHOR_NAME: "Bo Lind", GIT_AUTHOR_EMAIL: "bo@example.org" });
  repository.commit("c", { "a.txt": "c\n" }, { GIT_AUTHOR_NAME: "Bo", GIT_AUTHOR_EMAIL: "bo@old.example.org" });
  repository.commit("map", { ".mailmap": "Bo Lind <bo@example.org> <bo@old.example.org>\n" });
  const lines = (...args: string[]): string[] =>
    repository
      .git("shortlog", "-s", "-n", "-e", ...args)
      .split("\n")
      .map((line) => line.trim());
  const { text, data } = await at.call("git_shortlog");
  expect(text.split("\n")).toEqual(["4 commits by 2 authors", ...lines("HEAD")]);
  expect(data).toMatchObject({ commits: 4, truncated: false });
  expect((await at.call("git_shortlog", { revision: "HEAD~2..HEAD", paths: ["a.txt"] })).text.split("\n").slice(1)).toEqual(
    lines("HEAD~2..HEAD", "--", "a.txt"),
  );
  expect((await at.call("git_shortlog", { end_timestamp: "2000-01-01" })).text).toBe("No commits");
});

test("git_shortlog says that a shallow history ends", async () => {
  const folder = tempFolder();
  const origin = makeRepository(folder.at("origin"), { "a.txt": "a\n" });
  origin.commit("second", { "a.txt": "b\n" });
  await using at = await worldOf(folder, cloneOf(origin, folder.at("clone"), "--depth=1"));
  expect((await at.call("git_shortlog")).text).toMatch(/^1 commit by 1 author\n.*\n\[shallow clone: its history ends at /);
});

test("git_log follows lines, and finds changed lines by a pattern", async () => {
  await using at = await world({ tree: { "a.txt": "1\n2\n3\n4\n5\n" } });
  const { repository } = at;
  repository.commit("top", { "a.txt": "one\n2\n3\n4\n5\n" });
  repository.commit("bottom", { "a.txt": "one\n2\n3\n4\nfive\n" });
  repository.commit("moved", { "a.txt": "0\none\n2\n3\n4\nfive\n" });
  const git = (...args: string[]): string[] => repository.git("log", "-s", "--format=%H", ...args).split("\n");
  const lines = { paths: ["a.txt"], line_range: "5,6" };
  expect(hashes((await at.call("git_log", lines)).data)).toEqual(git("-L5,6:a.txt"));
  const page = await at.call("git_log", { ...lines, max_count: 1 });
  expect(hashes((await at.call("git_log", { ...lines, max_count: 1, cursor: page.data["nextCursor"] })).data)).toEqual(
    git("-L5,6:a.txt").slice(1, 2),
  );
  expect(hashes((await at.call("git_log", { grep_diff: "^(one|five)$" })).data)).toEqual(git("-G^(one|five)$", "--extended-regexp"));
  expect(await at.failure("git_log", { ...lines, line_range: "50,60" })).toContain("has only 6 lines");
  for (const given of ["6,5", "/x/,+2", ":main", "0,1"])
    expect(await at.failure("git_log", { ...lines, line_range: given })).toMatch(/^line_range is "START,END"/);
  expect(await at.failure("git_log", { line_range: "1,2" })).toMatch(/exactly one path/);
  expect(await at.failure("git_log", { ...lines, stat: true })).toMatch(/goes without/);
  expect(await at.failure("git_log", { grep_diff: "x", pickaxe: "y" })).toMatch(/exclude each other/);
});

test("git_log with line_range shows the old and the new text of the lines", async () => {
  await using at = await world({ tree: { "a.txt": "1\n2\n3\n" } });
  at.repository.commit("second", { "a.txt": "1\ntwo\n3\n" });
  at.repository.commit("third", { "a.txt": `1\n${"two\n".repeat(12)}3\n` });
  const { text, data } = await at.call("git_log", { paths: ["a.txt"], line_range: "2,13", oneline: true });
  expect((data["commits"] as { match?: string }[]).map(({ match }) => match)).toEqual([
    `${"+two\n".repeat(10)}(1 more changed lines: git_show has all)`,
    "-2\n+two",
    "+2",
  ]);
  expect(text).toContain(": second\n -2\n +two\n");
});

test("git_diff and git_show give the sizes of files", async () => {
  await using at = await world({ tree: { "a.txt": "a\n", "gone.txt": "gone\n" } });
  const { repository } = at;
  repository.git("rm", "--quiet", "gone.txt");
  repository.commit("second", { "a.txt": "aaaa\n", "big.bin": "x".repeat(5000) });
  const wanted = " a.txt | 2 -> 5 bytes\n big.bin | none -> 5000 bytes\n gone.txt | 5 -> none bytes";
  expect((await at.call("git_diff", { target: "HEAD~1..HEAD", format: "sizes" })).text).toBe(`Diff with HEAD~1..HEAD:\n${wanted}`);
  expect((await at.call("git_show", { revision: "HEAD", format: "sizes" })).text).toContain(wanted);
  repository.write({ "a.txt": "123456789" });
  const { data } = await at.call("git_diff_unstaged", { format: "sizes" });
  expect(data["files"]).toMatchObject([{ path: "a.txt", oldSize: 5, size: 9 }]);
});

test("git_log shows the line that pickaxe or grep_diff has found", async () => {
  await using at = await world({ tree: { "src/price.js": "const tax = 0.19;\nrest\n", "b.txt": "b\n" } });
  at.repository.commit("lower", { "src/price.js": `const tax = 0.16; ${"x".repeat(500)}\nrest\n`, "b.txt": "other\n" });
  at.repository.commit("gone", { "src/price.js": "rest\n" });
  const lines = async (search: object): Promise<unknown[]> =>
    ((await at.call("git_log", { ...search })).data["commits"] as { match?: string }[]).map(({ match }) => match);
  expect(await lines({ grep_diff: "tax = 0\\.1[69]" })).toEqual([
    expect.stringMatching(/^src\/price\.js: -const tax = 0\.16; x+…$/),
    expect.stringMatching(/^src\/price\.js: -const tax = 0\.19;\n\+const tax = 0\.16; x+…$/),
    "src/price.js: +const tax = 0.19;",
  ]);
  expect(await lines({ pickaxe: "0.19", paths: ["src"] })).toEqual([
    "src/price.js: -const tax = 0.19;",
    "src/price.js: +const tax = 0.19;",
  ]);
  expect((await at.call("git_log", { pickaxe: "0.19", oneline: true })).text).toMatch(/: lower\n src\/price\.js: -const tax = 0\.19;\n/);
  expect((await at.call("git_log", { grep_diff: "0\\.16", oneline: true })).text).toContain(
    ": lower\n src/price.js: -const tax = 0.19;\n +const tax = 0.16; x",
  );
  // A pattern that JavaScript would take long for.
  expect(await lines({ grep_diff: "(0.1)+6" })).toEqual([undefined, undefined]);
});
