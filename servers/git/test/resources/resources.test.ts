// Resources, completions and prompts: what they give is what git has, and what they name can be read.
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { everyRevision } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { world, type World } from "../support/world.ts";

const TREE = { "a.txt": "a\n", "d/b.bin": Buffer.from([0, 255]), "d/ü.txt": "ü\n" };

async function text(at: World, uri: string): Promise<string> {
  const [contents] = (await at.client.read(uri)).contents;
  return contents !== undefined && "text" in contents ? contents.text : "";
}

everyRevision("RES-03 RES-04 each URI returns git's content", async (revision) => {
  await using at = await world({ tree: TREE, revision });
  const { repository } = at;
  repository.git("branch", "feature/x");
  repository.commit("second", { "a.txt": "A\n" });
  const head = repository.git("rev-parse", "HEAD");
  expect(await text(at, "git:///project/blob/HEAD~1/a.txt")).toBe("a\n");
  expect(await text(at, "git:///project/blob/feature%2Fx/d/%C3%BC.txt")).toBe("ü\n");
  expect((await at.client.read("git:///project/blob/HEAD/d/b.bin")).contents).toMatchObject([
    { blob: Buffer.from([0, 255]).toString("base64"), mimeType: "application/octet-stream" },
  ]);
  expect(await text(at, "git:///project/tree/HEAD/")).toBe(`${repository.git("ls-tree", "HEAD")}\n`);
  expect(await text(at, "git:///project/tree/HEAD/d")).toBe(`${repository.git("-c", "core.quotePath=false", "ls-tree", "HEAD:d")}\n`);
  expect(await text(at, `git:///project/commit/${head}`)).toContain(repository.raw(["show", "--format=", "HEAD"]).toString());
  expect(await text(at, "git:///project/diff/feature%2Fx..main")).toBe(repository.raw(["diff", "feature/x", "main"]).toString());
  repository.write({ "a.txt": "work\n" });
  expect(await text(at, "git:///project/diff/unstaged")).toBe(repository.raw(["diff"]).toString());
  const refs = repository.git("for-each-ref", "--format=%(objectname) %(refname)");
  expect(await text(at, "git:///project/refs")).toBe(`${head} HEAD -> refs/heads/main\n${refs}\n`);
  const listed = (await Array.fromAsync(at.client.resources())).map(({ uri }) => uri);
  expect(listed).toEqual(["git:///project/status", "git:///project/refs"]);
});

test("CACHE-01 marks content with a complete hash as cacheable, and a branch as not", async () => {
  await using at = await world({ tree: TREE, revision: "2026-07-28" });
  const head = at.repository.git("rev-parse", "HEAD");
  const kept = async (uri: string) => ((await at.client.request("resources/read", { uri })) as Json)["ttlMs"];
  for (const uri of [`commit/${head}`, `blob/${head}/a.txt`, `tree/${head}/d`, `diff/${head}..${head}`])
    expect(await kept(`git:///project/${uri}`)).toBe(31_536_000_000);
  for (const uri of ["commit/HEAD", "blob/main/a.txt", "status", `diff/${head}..HEAD`]) expect(await kept(`git:///project/${uri}`)).toBe(0);
});

test.each([
  "git:///other/status",
  "git:///project/blob/HEAD/nope.txt",
  "git:///project/blob/nope/a.txt",
  "git:///project/blob/HEAD/..%2f..%2fetc%2fpasswd",
  "git:///project/blob/HEAD/.git/config",
  "git:///project/commit/zzzz",
  "git:///..%2f..%2fetc/status",
  "git://host/project/status",
  "git:///project/status?x",
])("RES-06 reports %s as not found", async (uri) => {
  await using at = await world({ tree: TREE });
  await expect(at.client.read(uri)).rejects.toMatchObject({ code: -32002 });
});

test("refuses a file that exceeds the budget and names its size", async () => {
  await using at = await world({ tree: { "big.bin": Buffer.alloc(200_000, 1) }, maxResultBytes: 100_000 });
  await expect(at.client.read("git:///project/blob/HEAD/big.bin")).rejects.toThrow("big.bin has 200000 bytes, more than one reply holds");
});

describe("completion", () => {
  const complete = async (at: World, name: string, value: string, known: Record<string, string> = {}) => {
    const result = await at.client.request("completion/complete", {
      ref: { type: "ref/resource", uri: "git:///{repo}/blob/{revision}/{+path}" },
      argument: { name, value },
      context: { arguments: known },
    });
    return isObject(result) && isObject(result["completion"]) ? result["completion"]["values"] : undefined;
  };

  test("completes repositories, branches, tags, hashes and paths of the revision", async () => {
    await using at = await world({ tree: TREE });
    const { repository } = at;
    repository.git("branch", "feature/x");
    repository.git("tag", "v1.0");
    repository.commit("second", { "later.txt": "l" });
    expect(await complete(at, "repo", "pro")).toEqual(["project"]);
    expect(await complete(at, "revision", "fea")).toEqual(["feature/x"]);
    expect(await complete(at, "revision", "v")).toEqual(["v1.0"]);
    const head = repository.git("rev-parse", "HEAD");
    expect(await complete(at, "revision", head.slice(0, 6))).toEqual([head]);
    expect(await complete(at, "path", "", { repo: "project", revision: "v1.0" })).toEqual(["a.txt", "d/"]);
    expect(await complete(at, "path", "d/", { repo: "project", revision: "v1.0" })).toEqual(["d/b.bin", "d/ü.txt"]);
    expect(await complete(at, "path", "l", { repo: "project", revision: "HEAD" })).toEqual(["later.txt"]);
    expect(await complete(at, "path", "x", { repo: "nowhere", revision: "HEAD" })).toEqual([]);
  });
});

describe("prompts", () => {
  const get = async (at: World, name: string, args: Record<string, string> = {}) =>
    JSON.stringify(await at.client.request("prompts/get", { name, arguments: args }));

  test("gives each prompt its diff or history", async () => {
    await using at = await world({ tree: TREE });
    const { repository } = at;
    repository.git("tag", "v1");
    repository.commit("a second thing", { "a.txt": "second\n" });
    repository.write({ "a.txt": "third\n" }).git("add", "-A");
    expect(await get(at, "commit_message", { repo: "project" })).toContain("+third");
    expect(await get(at, "review_changes", { repo: "project" })).toContain("+third");
    expect(await get(at, "review_changes", { repo: "project", target: "v1" })).toContain("+second");
    expect(await get(at, "summarize_history", { repo: "project", since: "20 years ago" })).toContain("a second thing");
    expect(await get(at, "release_notes", { repo: "project", from: "v1" })).toContain("a second thing");
    expect(await get(at, "release_notes", { repo: "project", from: "v1" })).not.toContain("first");
    expect(await get(at, "resolve_conflicts", { repo: "project" })).toContain("No file of project is in conflict");
    await expect(get(at, "review_changes", { target: "nope" })).rejects.toThrow('Unknown revision \\"nope\\"'.replaceAll("\\", ""));
    await expect(get(at, "release_notes", { from: "--output=x" })).rejects.toThrow(/from/);
  });

  test("shows conflicts unchanged", async () => {
    await using at = await world({ tree: { f: "1\n" } });
    const { repository } = at;
    repository.git("checkout", "--quiet", "-b", "other");
    repository.commit("theirs", { f: "theirs\n" });
    repository.git("checkout", "--quiet", "main");
    repository.commit("ours", { f: "ours\n" });
    repository.loosely("merge", "other");
    const output = await get(at, "resolve_conflicts");
    expect(output).toContain("- f (both modified)");
    expect(output).toContain("++<<<<<<<");
  });
});

test("reads every listed URI", async () => {
  await using at = await world({ tree: TREE });
  at.repository.write({ "a.txt": "A\n" }).git("add", "-A");
  const output = JSON.stringify(await at.client.request("prompts/get", { name: "commit_message", arguments: {} }));
  const uris = [...new Set(output.match(/git:\/\/\/[^"\\]+/g))];
  expect(uris).toEqual(["git:///project/diff/staged"]);
  for (const uri of uris) expect((await at.client.read(uri)).contents).toHaveLength(1);
});
