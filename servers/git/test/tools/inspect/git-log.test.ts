// git_log against `git log`: order, filters, dates, pages that stay while commits land.
import { join } from "node:path";
import { tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repositoryEnvironment } from "../../../src/repo/process/environment.ts";
import { runRead } from "../../../src/repo/process/read-command.ts";
import { hashes } from "../../support/oracle.ts";
import { makeRepository } from "../../support/repository.ts";
import { world, worldOf, type World } from "../../support/world.ts";

interface Entry {
  hash: string;
  parents: string[];
  author: string;
  subject: string;
  body: string;
}

async function filled(commits = 60): Promise<World> {
  const folder = tempFolder();
  return worldOf(folder, makeRepository(folder.at("project")).fill(commits, 7));
}

/** For tests that only read. */
let history: World;
beforeAll(async () => {
  history = await filled();
});
afterAll(() => history[Symbol.asyncDispose]());

const listed = async (at: World, args = {}): Promise<string[]> =>
  ((await at.call("git_log", args)).data["commits"] as Entry[]).map(({ hash }) => hash);

test("lists ten commits by default, newest first, in the text of the reference server", async () => {
  const at = history;
  const { text, data } = await at.call("git_log");
  expect((data["commits"] as Entry[]).map(({ hash }) => hash)).toEqual(hashes(at.repository, "-10"));
  const output = at.repository.raw(["log", "-10", "--format=Commit: %H%nAuthor: %an <%ae>%nDate: %aI%nMessage: %s%n"]).toString().trimEnd();
  const more = `[more: continue with cursor ${String(data["nextCursor"])}]`;
  expect(text).toBe(`Commit history:\n${output}\n${more}`);
});

test.each([
  [{ start_timestamp: "2023-11-14T22:30:00+00:00" }, ["--since=2023-11-14T22:30:00+00:00"]],
  [{ end_timestamp: "2023-11-14 22:40:00 +0000" }, ["--until=2023-11-14 22:40:00 +0000"]],
  [
    { start_timestamp: "2023-11-14T22:20:00Z", end_timestamp: "2023-11-14T22:40:00Z" },
    ["--since=2023-11-14T22:20:00Z", "--until=2023-11-14T22:40:00Z"],
  ],
  [{ start_timestamp: "2 weeks ago" }, ["--since=2 weeks ago"]],
  [{ end_timestamp: "yesterday" }, ["--until=yesterday"]],
  [{ paths: ["file-3.txt"] }, ["--", "file-3.txt"]],
  [{ paths: ["file-3.txt", "file-5.txt"] }, ["--", "file-3.txt", "file-5.txt"]],
  [{ grep: "commit 1[0-9]" }, ["--grep=commit 1[0-9]"]],
  [{ author: "Grace" }, ["--author=Grace"]],
  [{ author: "Nobody" }, ["--author=Nobody"]],
  [{ revision: "HEAD~30" }, ["HEAD~30"]],
  [{ revision: "HEAD~30..HEAD~10" }, ["HEAD~30..HEAD~10"]],
  [{ pickaxe: "revision 33" }, ["-Srevision 33"]],
  [{ first_parent: true }, ["--first-parent"]],
])("reads %j as git reads %j", async (args, oracle) => {
  const at = history;
  expect(await listed(at, { ...args, max_count: 1000 })).toEqual(hashes(at.repository, ...oracle));
});

test.each([
  [{ author: "GRACE" }, ["--author=Grace"]],
  [{ author: "grace hopper" }, ["--author=Grace"]],
  [{ grep: "COMMIT 1[0-9]" }, ["--grep=commit 1[0-9]"]],
  [{ pickaxe: "REVISION 33" }, ["-SREVISION 33"]],
])("%j ignores letter case in names and messages, not in files", async (args, oracle) => {
  const at = history;
  expect(await listed(at, { ...args, max_count: 1000 })).toEqual(hashes(at.repository, ...oracle));
});

test("gives a line per commit with oneline", async () => {
  await using at = await world({ tree: { "a.txt": "1\n" } });
  const hash = at.repository.commit("second\n\nwith a body", { "a.txt": "2\n" });
  const { text, data } = await at.call("git_log", { oneline: true, max_count: 1 });
  const date = at.repository.git("log", "-1", "--format=%aI");
  const [title, line, more, ...rest] = text.split("\n");
  expect([title, line, more?.slice(0, 6), rest]).toEqual([
    "Commit history:",
    `${hash.slice(0, 12)} ${date.slice(0, 10)} Ada Lovelace (HEAD -> main): second`,
    "[more:",
    [],
  ]);
  expect(data["commits"]).toEqual([{ hash, author: "Ada Lovelace", date, subject: "second" }]);
  expect((await at.call("git_log", { oneline: true, stat: true, max_count: 1 })).text).toContain("second\n a.txt | +1 -1");
});

test("names an empty history", async () => {
  const at = history;
  expect((await at.call("git_log", { author: "Nobody" })).text).toBe("Commit history:\nNo commits\n");
});

test("servers#4399 servers#4491 returns every commit of a filtered page whole", async () => {
  const at = history;
  const { data } = await at.call("git_log", { start_timestamp: "2023-11-14T22:20:00Z", max_count: 100 });
  for (const { hash, subject, author } of data["commits"] as Entry[])
    expect(`${subject}|${author}`).toBe(at.repository.git("log", "-1", "--format=%s|%an", hash));
});

test("keeps pages in order while commits are added, and covers each commit once", async () => {
  await using at = await filled(50);
  const wanted = hashes(at.repository);
  const seen: string[] = [];
  let cursor: unknown;
  let pages = 0;
  do {
    const { data } = await at.call("git_log", { max_count: 7, ...(cursor !== undefined && { cursor }) });
    seen.push(...(data["commits"] as Entry[]).map(({ hash }) => hash));
    cursor = data["nextCursor"];
    at.repository.commit(`landed ${pages++}`, { "new.txt": String(pages) });
  } while (cursor !== undefined);
  expect(seen).toEqual(wanted);
  expect(pages).toBe(8);
});

test("refuses a cursor of another query", async () => {
  const at = history;
  const { data } = await at.call("git_log", { max_count: 5 });
  const cursor = data["nextCursor"];
  expect(await at.failure("git_log", { max_count: 5, author: "Grace", cursor })).toContain("Invalid cursor: it does not belong");
  // The size of a page does not belong to it.
  expect(await listed(at, { max_count: 3, cursor })).toEqual(hashes(at.repository, "--skip=5", "-3"));
});

test("refuses an empty pickaxe", async () => {
  await using at = await world({ tree: { "a.txt": "--no-ext-diff\n" } });
  expect(await at.failure("git_log", { pickaxe: "" })).toContain("pickaxe is empty");
});

test("matches git's numstat with stat, and finds a file under its old name with follow", async () => {
  await using at = await world({ tree: { "old.txt": "1\n2\n3\n4\n5\n6\n" } });
  const { repository } = at;
  repository.git("mv", "old.txt", "new.txt");
  repository.commit("moved");
  repository.commit("changed", { "new.txt": "1\n2\n3\n4\n5\nsix\n", "b.bin": Buffer.from([0, 1]) });
  const { data } = await at.call("git_log", { stat: true });
  expect((data["commits"] as { subject: string; stats: unknown }[]).map(({ subject, stats }) => [subject, stats])).toEqual([
    [
      "changed",
      [
        { path: "b.bin", additions: 0, deletions: 0, binary: true },
        { path: "new.txt", additions: 1, deletions: 1, binary: false },
      ],
    ],
    ["moved", [{ path: "new.txt", additions: 0, deletions: 0, binary: false }]],
    ["first", [{ path: "old.txt", additions: 6, deletions: 0, binary: false }]],
  ]);
  expect(await listed(at, { paths: ["new.txt"], follow: true })).toEqual(hashes(repository, "--follow", "--", "new.txt"));
  expect(await listed(at, { paths: ["new.txt"] })).toEqual(hashes(repository, "--", "new.txt"));
});

test("names the old path where the history of a path ends in a rename", async () => {
  const text = "1\n2\n3\n4\n5\n6\n";
  await using at = await world({ tree: { "lib/m0.py": text, "lib/m1.py": `${text}7\n`, "c.txt": "c\n" } });
  const { repository } = at;
  repository.commit("early", { "lib/m0.py": `0\n${text}` });
  repository.git("mv", "lib", "src");
  const moved = repository.commit("moved", { "src/m0.py": `0\n${text}9\n` });
  repository.commit("late", { "src/m0.py": `${text}9\n` });
  const notice = (paths: string[], more = {}) =>
    at.call("git_log", { paths, ...more }).then(({ text: reply }) => /\[.* was renamed .*\]/.exec(reply)?.[0]);
  const before = `was renamed from lib/m0.py in ${moved.slice(0, 7)}: give that as paths, or follow, for what was before.]`;
  expect(await notice(["src/m0.py"])).toBe(`[src/m0.py ${before}`);
  expect(await notice(["src"])).toBe(`[src/m0.py, one of 2, ${before}`);
  for (const paths of [["lib/m0.py"], ["."], ["src", "lib"], ["c.txt"]]) expect(await notice(paths)).toBeUndefined();
  for (const more of [{ max_count: 1 }, { follow: true }, { line_range: "1,2" }]) expect(await notice(["src/m0.py"], more)).toBeUndefined();
  // Under --toolsets minimal the old path is the way.
  expect(await listed(at, { paths: ["lib/m0.py"] })).toHaveLength(3);
});

test("counts with stat what a merge brings, and finds a change in its own commit only", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const { repository } = at;
  repository.git("checkout", "--quiet", "-b", "side");
  repository.commit("on the side", { "b.txt": "searched\n" });
  repository.git("checkout", "--quiet", "main");
  repository.git("merge", "--quiet", "--no-ff", "--no-edit", "side");
  expect((await at.call("git_log", { stat: true, oneline: true, max_count: 1 })).text).toContain("side'\n b.txt | +1 -0");
  const { data } = await at.call("git_log", { stat: true, pickaxe: "searched" });
  expect((data["commits"] as { subject: string }[]).map(({ subject }) => subject)).toEqual(["on the side"]);
});

test("shows messages of any shape and encoding completely", async () => {
  await using at = await world({ tree: { a: "a" } });
  const { repository } = at;
  const messages = [
    "subject only",
    "two\nline subject\n\nbody\n\n  indented\n\nlast",
    "ünï\u0007cödé 漢字 🎉\n\nbody",
    "Commit: abc\n\nAuthor: not me\nDate: never",
  ];
  for (const message of messages) repository.commit(message);
  repository.raw(["-c", "i18n.commitEncoding=ISO-8859-1", "commit", "--allow-empty", "-F", "-"], {
    input: Buffer.from("caf\xe9", "latin1"),
  });
  repository.raw(["commit", "--allow-empty", "--cleanup=verbatim", "-F", "-"], {
    input: Buffer.from("raw \xe9\xe8", "latin1"),
    env: { LC_ALL: "C" },
  });
  const { data } = await at.call("git_log", { max_count: 6 });
  const [raw, latin, ...rest] = (data["commits"] as Entry[]).map(({ subject, body }) => [subject, body]);
  expect(raw).toEqual(["raw éè", ""]);
  expect(latin).toEqual(["café", ""]);
  expect(rest).toEqual([
    ["Commit: abc", "Author: not me\nDate: never"],
    ["ünï\u0007cödé 漢字 🎉", "body"],
    ["two line subject", "body\n\n  indented\n\nlast"],
    ["subject only", ""],
  ]);
});

test("applies no replace refs and grafts", async () => {
  await using at = await filled(5);
  const real = hashes(at.repository);
  at.repository.git("replace", "HEAD~1", "HEAD~3");
  at.repository.write({ ".git/info/grafts": `${real[0]!} ${real[4]!}\n` });
  expect(await listed(at)).toEqual(real);
});

test("shows an empty history before the first commit, and suggests names for an unknown revision", async () => {
  await using at = await world();
  expect((await at.call("git_log")).data).toEqual({ commits: [], truncated: false });
  at.repository.commit("first", { a: "a" });
  at.repository.git("branch", "feature/login");
  expect(await at.failure("git_log", { revision: "feature/logn" })).toBe('Unknown revision "feature/logn": did you mean "feature/login"?');
  expect(await at.failure("git_log", { revision: "zzzzzzzz" })).toBe('Unknown revision "zzzzzzzz": git_branch and git_tag list the names.');
});

test("reads the history of git in whole buffers, not commit by commit", async () => {
  await using at = await filled(400);
  const top = at.repository.path;
  const env = repositoryEnvironment("git", { gitDir: join(top, ".git"), workTree: top });
  const sizes: number[] = [];
  const onStdout = (chunk: Buffer): boolean => sizes.push(chunk.length) > 0;
  await runRead({ git: "git", env, cwd: top }, { args: ["log", "--format=%H%n%an%n%ae%n%s"], onStdout });
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(20_000);
  expect(sizes.slice(0, -1).filter((size) => size % 1024 !== 0)).toEqual([]);
});

test("lists with all the history of all branches, remote branches, tags and HEAD, in stable pages", async () => {
  await using at = await world({ tree: { a: "a" } });
  const { repository } = at;
  repository.git("checkout", "--quiet", "-b", "topic");
  repository.commit("on topic", { b: "b" });
  repository.git("checkout", "--quiet", "--orphan", "other");
  repository.commit("other root", { c: "c" });
  repository.git("tag", "-a", "-m", "t", "v1");
  repository.git("checkout", "--quiet", "main");
  repository.git("branch", "--quiet", "-D", "other");
  repository.git("checkout", "--quiet", "--detach");
  repository.commit("detached", { d: "d" });
  expect(await listed(at, { all_branches: true })).toEqual(hashes(repository, "--all", "HEAD"));
  const first = await at.call("git_log", { all_branches: true, max_count: 2 });
  const cursor = String(first.data["nextCursor"]);
  const before = hashes(repository, "--all", "HEAD");
  repository.commit("later", { e: "e" });
  expect(await listed(at, { all_branches: true, max_count: 50, cursor })).toEqual(before.slice(2));
  expect(await at.failure("git_log", { all_branches: true, revision: "main" })).toContain("all_branches and revision exclude each other");
});

test("pages through hundreds of branches with all, and notices when they change", async () => {
  await using at = await filled(600);
  const { repository } = at;
  const ids = hashes(repository);
  repository.raw(["update-ref", "--stdin"], { input: ids.map((id, index) => `create refs/heads/b${index} ${id}\n`).join("") });
  const first = await at.call("git_log", { all_branches: true, max_count: 300 });
  const cursor = String(first.data["nextCursor"]);
  expect(cursor.length).toBeLessThan(1000);
  expect(await listed(at, { all_branches: true, max_count: 1000, cursor })).toEqual(ids.slice(300));
  repository.commit("new", { x: "x" });
  expect(await at.failure("git_log", { all_branches: true, cursor })).toContain("The branches have changed since the first page.");
});

test("keeps a default reply below 64,000 bytes with the cursor before commits that hosts cut, and lifts the limit by a count", async () => {
  await using at = await world({ tree: { a: "a" } });
  for (let number = 0; number < 9; number++) at.repository.commit(`subject\n\n${"long body ".repeat(1500)}`, { a: String(number) });
  const { text, data } = await at.call("git_log");
  expect(Buffer.byteLength(text)).toBeLessThan(64_000);
  expect(text).toMatch(/^Commit history:\n\[more: continue with cursor /);
  expect(data["truncated"]).toBe(true);
  expect((await listed(at, { max_count: 10 })).length).toBe(10);
});

test("escapes control and directional characters of names and messages in the text", async () => {
  await using at = await world({ tree: { a: "a" } });
  at.repository.commit("sub\u202eject\n\nbo\u001bdy\n\ttab", {}, { GIT_AUTHOR_NAME: "A\u2066da" });
  const { text } = await at.call("git_log", { max_count: 1 });
  expect(text).toContain("Author: A\\u2066da <");
  expect(text).toContain("Message: sub\\u202eject\n\nbo\\x1bdy\n\ttab\n");
});
