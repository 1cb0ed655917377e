// No reply is over its bound, whatever the repository holds, and a cut reply has a notice; with --lean no text appears twice.
import { isObject } from "@oarlock/server-kit/protocol";
import { connectTo, expectWithin, tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeRepository, type TestRepository } from "../support/repository.ts";
import { targetOf } from "../support/target.ts";
import { textOf, world } from "../support/world.ts";

let folder: TempFolder;
let repository: TestRepository;

/** What JSON writes as six bytes for one. */
const HEAVY = "\u0001";

beforeAll(() => {
  folder = tempFolder();
  repository = makeRepository(folder.at("project"), { "heavy.txt": "", "long.txt": "", "wide.txt": "" });
  repository.write({
    "heavy.txt": `${HEAVY.repeat(200)}\n`.repeat(20_000),
    "long.txt": "x".repeat(4_000_000),
    "wide.txt": "😀\n".repeat(150_000),
  });
  const small = repository.commit("small");
  repository.commit(`${"subject ".repeat(20)}\n\n${'"\\'.repeat(1_500_000)}`);
  for (let n = 0; n < 3; n++) repository.commit(`${n}\n\n${"body\n".repeat(50_000)}`);
  repository.write(Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`many/${n}-${"ü".repeat(60)}.txt`, "x\n"])));
  repository.git("add", "-A");
  const refs = Array.from(
    { length: 6000 },
    (_, n) => `create refs/heads/${n}-${"b".repeat(150)} ${small}\ncreate refs/tags/${n}-${"t".repeat(150)} ${small}\n`,
  );
  repository.raw(["update-ref", "--stdin"], { input: refs.join("") });
  repository.git("pack-refs", "--all");
  repository.write({ "heavy.txt": "", "long.txt": "y".repeat(4_000_000), "wide.txt": "😁\n".repeat(150_000) });
});

afterAll(() => folder[Symbol.asyncDispose]());

const CALLS: readonly (readonly [name: string, args: Record<string, unknown>])[] = [
  ["git_status", {}],
  ["git_status", { limit: 1_000_000 }],
  ["git_diff_unstaged", {}],
  ["git_diff_unstaged", { max_bytes: 100_000_000 }],
  ["git_diff_unstaged", { paths: ["long.txt"], max_bytes: 100_000_000 }],
  ["git_diff_staged", { max_bytes: 100_000_000 }],
  ["git_diff_staged", { format: "names" }],
  ["git_diff", { target: "HEAD~4", format: "stat" }],
  ["git_diff", { target: "HEAD~5..HEAD", max_bytes: 100_000_000 }],
  ["git_log", { max_count: 100_000 }],
  ["git_log", { max_count: 100_000, stat: true }],
  ["git_show", { revision: "HEAD~4", max_bytes: 100_000_000 }],
  ["git_show", { revision: "HEAD~4", path: "heavy.txt", max_bytes: 100_000_000 }],
  ["git_show", { revision: "HEAD~4", path: "long.txt" }],
  ["git_branch", { branch_type: "all", limit: 1_000_000 }],
  ["git_tag", { action: "list", limit: 1_000_000 }],
  ["git_blame", { path: "heavy.txt", revision: "HEAD" }],
  ["git_blame", { path: "long.txt" }],
  ["git_blame", { path: "wide.txt" }],
  ["git_grep", { pattern: ".", limit: 1_000_000 }],
];

describe.each([undefined, 300_000])("with --max-result-bytes %s", (maxResultBytes) => {
  test.each(CALLS)("%s %j", async (name, args) => {
    await using wired = await connectTo(
      await targetOf({ repositories: [repository.path], ...(maxResultBytes !== undefined && { maxResultBytes }) }),
    );
    const result = await wired.client.call(name, args);
    expect(result.isError, textOf(result).slice(0, 500)).toBeUndefined();
    const bytes = Buffer.byteLength(JSON.stringify(result));
    expect(bytes).toBeLessThanOrEqual(maxResultBytes ?? 2_500_000);
    const data = isObject(result.structuredContent) ? result.structuredContent : {};
    if (data["truncated"] === true) expect(textOf(result)).toMatch(/\[(?:truncated|more|left out)|…/);
  });

  test("resources and prompts stay within the limit", async () => {
    await using wired = await connectTo(
      await targetOf({ repositories: [repository.path], ...(maxResultBytes !== undefined && { maxResultBytes }) }),
    );
    for (const kind of ["status", "refs", "commit/HEAD~4", "diff/unstaged", "diff/HEAD~5..HEAD", "tree/HEAD/"]) {
      const read = await wired.client.read(`git:///project/${kind}`);
      expect(Buffer.byteLength(JSON.stringify(read))).toBeLessThanOrEqual(maxResultBytes ?? 2_500_000);
    }
    for (const name of ["commit_message", "review_changes", "summarize_history"]) {
      const prompt = await wired.client.request("prompts/get", {
        name,
        arguments: { ...(name === "summarize_history" && { since: "20 years ago" }) },
      });
      expect(Buffer.byteLength(JSON.stringify(prompt))).toBeLessThanOrEqual(maxResultBytes ?? 2_500_000);
    }
  });
});

test("a long diff is complete over its pages", async () => {
  await using wired = await connectTo(await targetOf({ repositories: [repository.path] }));
  let patches = "";
  let cursor: unknown;
  for (let page = 0; page < 100; page++) {
    const { structuredContent } = await wired.client.call("git_diff_unstaged", {
      paths: ["wide.txt"],
      max_bytes: 400_000,
      ...(cursor !== undefined && { cursor }),
    });
    const { files, nextCursor } = structuredContent as { files: { patch?: string }[]; nextCursor?: string };
    patches += files.map(({ patch = "" }) => patch).join("");
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  expect(patches).toBe(repository.raw(["diff", "wide.txt"]).toString());
});

test("answers a plain call within a second while a slow one runs", async () => {
  await using wired = await connectTo(await targetOf({ repositories: [repository.path] }));
  await wired.client.call("git_branch", { limit: 1 });
  const stop = new AbortController();
  const slow = wired.client
    .call("git_blame", { path: "wide.txt", follow: true, ignore_whitespace: true }, { signal: stop.signal })
    .catch(() => {});
  await expectWithin(1000, async () => void (await wired.client.call("git_branch", { limit: 1 })));
  stop.abort();
  await slow;
});

test("--lean leaves out of the structured result what the text has", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" }, lean: true });
  at.repository.write({ "a.txt": "b\n" });
  expect((await at.call("git_diff_unstaged")).data).toEqual({
    totals: { files: 1, additions: 1, deletions: 1 },
    omitted: [],
    truncated: false,
  });
  expect((await at.call("git_log")).data).toEqual({ truncated: false });
  expect((await at.call("git_status")).data).toMatchObject({ branch: "main", head: at.repository.git("rev-parse", "HEAD") });
});
