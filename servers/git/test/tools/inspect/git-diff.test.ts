// git_diff_unstaged, git_diff_staged, git_diff and git_show against git's own patches.
import { rmSync } from "node:fs";
import { linkTo, withMode } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { numstat } from "../../support/oracle.ts";
import { world, type World } from "../../support/world.ts";

const LONG = Array.from({ length: 40 }, (_, n) => `line ${n}\n`).join("");
const TREE = {
  "a.txt": LONG,
  "b.txt": "b\n",
  "gone.txt": "gone\n",
  "image.bin": Buffer.from([0, 1, 2, 255]),
  "name with blank.txt": "x\n",
  "run.sh": withMode(0o644, "echo\n"),
  link: linkTo("a.txt"),
};

/** Makes every kind of change. */
const CHANGES = {
  "a.txt": LONG.replace("line 5\n", "LINE 5\n").replace("line 30\n", ""),
  "image.bin": Buffer.from([0, 9]),
  "name with blank.txt": "no newline at the end",
  "new ü.txt": "ü\n",
};

async function changed() {
  const at = await world({ tree: TREE });
  at.repository.write(CHANGES);
  at.repository.git("rm", "--quiet", "--cached", "gone.txt");
  at.repository.git("mv", "b.txt", "moved.txt");
  const { chmodSync, rmSync, writeFileSync } = await import("node:fs");
  chmodSync(`${at.repository.path}/run.sh`, 0o755);
  rmSync(`${at.repository.path}/link`);
  writeFileSync(`${at.repository.path}/link`, "a file now\n");
  return at;
}

test("returns unstaged changes as git's own patches and counts their lines", async () => {
  await using at = await changed();
  const { text, data } = await at.call("git_diff_unstaged");
  expect(text).toBe(`Unstaged changes:\n${at.repository.raw(["diff"]).toString()}`);
  const files = data["files"] as { path: string; additions: number; deletions: number; binary: boolean; patch: string }[];
  expect(files.map(({ path, additions, deletions, binary }) => ({ path, additions, deletions, binary }))).toEqual(
    numstat(at.repository, "diff"),
  );
  expect(files.map(({ patch }) => patch).join("")).toBe(at.repository.raw(["diff"]).toString());
  expect(data).toMatchObject({ truncated: false, omitted: [] });
});

test("returns staged changes as git's own patches, with renames", async () => {
  await using at = await changed();
  at.repository.git("add", "-A");
  const { text, data } = await at.call("git_diff_staged");
  expect(text).toBe(`Staged changes:\n${at.repository.raw(["-c", "core.quotePath=false", "diff", "--cached"]).toString()}`);
  expect(data["files"]).toContainEqual(expect.objectContaining({ path: "moved.txt", oldPath: "b.txt", status: "renamed" }));
});

describe("with a side branch", () => {
  let at: World;
  beforeAll(async () => {
    at = await world({ tree: TREE });
    const { repository } = at;
    repository.git("tag", "-a", "-m", "one", "v1");
    repository.git("branch", "side");
    repository.commit("second", { "a.txt": LONG.replace("line 1\n", "one\n") });
    repository.commit("third", { "c.txt": "c\n" });
    repository.git("checkout", "--quiet", "side");
    repository.commit("aside", { "s.txt": "s\n" });
    repository.git("checkout", "--quiet", "main");
  });
  afterAll(() => at[Symbol.asyncDispose]());

  test.each([
    ["HEAD~1", ["diff", "HEAD~1"]],
    ["HEAD~2..HEAD~1", ["diff", "HEAD~2", "HEAD~1"]],
    ["side...main", ["diff", "side...main"]],
    ["main..side", ["diff", "main", "side"]],
    ["v1", ["diff", "v1"]],
  ])("matches git: git_diff with %s", async (target, oracle) => {
    const { text } = await at.call("git_diff", { target });
    expect(text).toBe(`Diff with ${target}:\n${at.repository.raw(oracle).toString()}`);
  });
});

test("git_diff takes base, merge_base and context_lines", async () => {
  await using at = await world({ tree: TREE });
  at.repository.commit("second", { "a.txt": LONG.replace("line 20\n", "twenty\n") });
  for (const lines of [0, 1, 10]) {
    const { text } = await at.call("git_diff", { base: "HEAD~1", target: "HEAD", context_lines: lines });
    expect(text).toBe(`Diff with HEAD~1..HEAD:\n${at.repository.raw(["diff", `-U${lines}`, "HEAD~1", "HEAD"]).toString()}`);
  }
  const { data } = await at.call("git_diff", { target: "HEAD~1", merge_base: true });
  expect(data["totals"]).toEqual({ files: 1, additions: 1, deletions: 1 });
});

test("returns git's counts and names without patches for the formats stat and names", async () => {
  await using at = await changed();
  const stat = await at.call("git_diff_unstaged", { format: "stat" });
  const files = stat.data["files"] as { path: string; additions: number; deletions: number; binary: boolean }[];
  expect(files.map(({ path, additions, deletions, binary }) => ({ path, additions, deletions, binary }))).toEqual(
    numstat(at.repository, "diff"),
  );
  const names = await at.call("git_diff_unstaged", { format: "names" });
  expect(names.text).toBe(`Unstaged changes:\n${at.repository.git("-c", "core.quotePath=false", "diff", "--name-status")}`);
});

test("shows only the given literal paths", async () => {
  await using at = await world({ tree: { "*.txt": "star\n", "a.txt": "a\n", "d/b.txt": "b\n", "d/c.txt": "c\n" } });
  at.repository.write({ "*.txt": "STAR\n", "a.txt": "A\n", "d/b.txt": "B\n", "d/c.txt": "C\n" });
  const named = async (paths: string[]) =>
    ((await at.call("git_diff_unstaged", { paths })).data["files"] as { path: string }[]).map(({ path }) => path);
  expect(await named(["*.txt"])).toEqual(["*.txt"]);
  expect(await named(["d"])).toEqual(["d/b.txt", "d/c.txt"]);
  expect(await named([at.folder.at("project/a.txt")])).toEqual(["a.txt"]);
  expect(await named(["."])).toEqual(["*.txt", "a.txt", "d/b.txt", "d/c.txt"]);
});

test("names every file beyond the budget, and cursors show each patch once", async () => {
  const names = Array.from({ length: 25 }, (_, n) => `f${String(n).padStart(2, "0")}.txt`);
  await using at = await world({ tree: Object.fromEntries(names.map((name) => [name, LONG])) });
  at.repository.write(Object.fromEntries(names.map((name) => [name, LONG.replaceAll("line", name)])));
  const whole = at.repository.raw(["diff"]).toString();
  let patches = "";
  let cursor: unknown;
  let pages = 0;
  do {
    const { text, data } = await at.call("git_diff_unstaged", { max_bytes: 8000, ...(cursor !== undefined && { cursor }) });
    const files = data["files"] as { path: string; additions: number; patch?: string }[];
    expect(files.map(({ path }) => path)).toEqual(names);
    expect(files.every(({ additions }) => additions === 40)).toBe(true);
    for (const name of names) expect(text).toContain(pages === 0 ? name : "Unstaged");
    patches += files.map(({ patch = "" }) => patch).join("");
    cursor = data["nextCursor"];
    expect(data["truncated"]).toBe(cursor !== undefined);
    pages++;
  } while (cursor !== undefined && pages < 50);
  expect(patches).toBe(whole);
  expect(pages).toBeGreaterThan(3);
});

test("cuts the patch of a single file at whole lines", async () => {
  await using at = await world({ tree: { "a.txt": "" } });
  at.repository.write({ "a.txt": Array.from({ length: 2000 }, (_, n) => `line ${n} ü\n`).join("") });
  let patches = "";
  let cursor: unknown;
  do {
    const { data } = await at.call("git_diff_unstaged", { max_bytes: 3000, ...(cursor !== undefined && { cursor }) });
    const [file] = data["files"] as { patch: string }[];
    expect(Buffer.byteLength(file!.patch)).toBeLessThanOrEqual(3000);
    expect(file!.patch.endsWith("\n")).toBe(true);
    patches += file!.patch;
    cursor = data["nextCursor"];
  } while (cursor !== undefined);
  expect(patches).toBe(at.repository.raw(["diff"]).toString());
});

test("counts long lock files and generated files, and shows them when named", async () => {
  await using at = await world({ tree: { "package-lock.json": "{}\n", "a.txt": "a\n", "web/app.min.js": "x\n" } });
  at.repository.write({ "package-lock.json": LONG.repeat(20), "a.txt": "A\n", "web/app.min.js": LONG.repeat(20) });
  const { data, text } = await at.call("git_diff_unstaged");
  expect(data["omitted"]).toEqual([
    { path: "package-lock.json", reason: "lock file" },
    { path: "web/app.min.js", reason: "generated" },
  ]);
  expect(text).toContain("package-lock.json (+800 -1, lock file: name it in paths to see it)");
  const named = await at.call("git_diff_unstaged", { paths: ["package-lock.json"] });
  expect(named.text).toBe(`Unstaged changes:\n${at.repository.raw(["diff", "package-lock.json"]).toString()}`);
});

test("refuses a forged cursor and one of another call", async () => {
  await using at = await world({ tree: { "a.txt": "", "b.txt": "" } });
  at.repository.write({ "a.txt": LONG, "b.txt": LONG });
  const { data } = await at.call("git_diff_unstaged", { max_bytes: 500 });
  const cursor = data["nextCursor"];
  expect(cursor).toEqual(expect.any(String));
  for (const other of [{ context_lines: 1 }, { paths: ["a.txt"] }])
    expect(await at.failure("git_diff_unstaged", { cursor, ...other })).toContain("Invalid cursor: it does not belong");
  expect(await at.failure("git_diff_staged", { cursor })).toContain("Invalid cursor: it does not belong");
  expect(await at.failure("git_diff_unstaged", { cursor: "AAAA" })).toContain("Invalid cursor: it does not belong");
});

test("shows files in conflict as combined diffs", async () => {
  await using at = await world({ tree: { "f.txt": "1\n2\n3\n", "g.txt": "g\n" } });
  const { repository } = at;
  repository.git("checkout", "--quiet", "-b", "other");
  repository.commit("theirs", { "f.txt": "1\ntheirs\n3\n" });
  repository.git("checkout", "--quiet", "main");
  repository.commit("ours", { "f.txt": "1\nours\n3\n" });
  repository.loosely("merge", "other");
  repository.write({ "g.txt": "G\n" });
  const { text } = await at.call("git_diff_unstaged");
  expect(text).toBe(`Unstaged changes:\n${repository.raw(["diff"]).toString()}`);
});

test("git_show shows a commit with git's patch, a merge against its first parent", async () => {
  await using at = await world({ tree: TREE });
  const { repository } = at;
  repository.git("checkout", "--quiet", "-b", "other");
  repository.commit("theirs\n\nWith a body.\nOf two lines.", { "t.txt": "t\n" });
  repository.git("checkout", "--quiet", "main");
  repository.commit("ours", { "o.txt": "o\n" });
  repository.raw(["merge", "--quiet", "--no-edit", "other"]);
  for (const revision of ["HEAD", "HEAD~1", "other", "main^2", repository.git("rev-parse", "other")]) {
    const { text, data } = await at.call("git_show", { revision });
    const parents = repository.git("log", "-1", "--format=%P", revision).split(" ");
    const merge = parents.length > 1 ? `%nMerge: ${parents.map((parent) => parent.slice(0, 12)).join(" ")}` : "";
    const head = repository
      .raw(["log", "-1", `--format=Commit: %H${merge}%nAuthor: %an <%ae>%nDate: %aI%nMessage: %B`, revision])
      .toString()
      .trimEnd();
    const patch = repository.raw(["diff", `${revision}^1`, revision]).toString();
    expect(text).toBe(`${head}\n\n${patch}`);
    expect(data["hash"]).toBe(repository.git("rev-parse", revision));
    expect(data["parents"]).toEqual(parents);
  }
});

test("git_show shows all of the first commit", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const { text } = await at.call("git_show", { revision: "HEAD" });
  expect(text.slice(text.indexOf("diff --git"))).toBe(at.repository.raw(["show", "--format=", "HEAD"]).toString());
});

test("git_show with a path returns a file as text or bytes, or the entries of a folder", async () => {
  await using at = await world({ tree: { "a.txt": "before\n", "d/b.bin": Buffer.from([0, 255, 1]), "d/ü.txt": "ü" } });
  at.repository.commit("second", { "a.txt": "after\n" });
  expect((await at.call("git_show", { revision: "HEAD~1", path: "a.txt" })).text).toBe("before\n");
  expect((await at.call("git_show", { revision: "HEAD~1:a.txt" })).text).toBe("before\n");
  const blob = await at.call("git_show", { revision: "HEAD", path: "d/b.bin" });
  expect(blob.data).toMatchObject({ base64: Buffer.from([0, 255, 1]).toString("base64"), size: 3, type: "blob" });
  const tree = await at.call("git_show", { revision: "HEAD", path: "d" });
  expect(tree.text).toBe(at.repository.git("-c", "core.quotePath=false", "ls-tree", "HEAD:d"));
  expect(await at.failure("git_show", { revision: "HEAD", path: "nope.txt" })).toContain("There is no nope.txt in ");
});

test("shows the files of the first commit whatever log.showRoot is", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.git("config", "log.showRoot", "false");
  expect((await at.call("git_show", { revision: "HEAD" })).data).toMatchObject({ files: [{ path: "a.txt", status: "added" }] });
  const { commits } = (await at.call("git_log", { stat: true })).data as { commits: unknown[] };
  expect(commits).toMatchObject([{ stats: [{ path: "a.txt" }] }]);
});

test("reports no missing file in a damaged repository", async () => {
  await using at = await world({ tree: { "d/a.txt": "a\n" } });
  const folder = at.repository.git("rev-parse", "HEAD:d");
  rmSync(`${at.repository.path}/.git/objects/${folder.slice(0, 2)}/${folder.slice(2)}`);
  const failure = await at.failure("git_show", { revision: "HEAD", path: "d/a.txt" });
  expect(failure).toContain(folder);
  expect(failure).not.toContain("There is no");
  expect(await at.failure("git_show", { revision: "HEAD", path: "e.txt" })).toContain("There is no e.txt");
});
