// A repository whose every list, text and file is larger than a reply, and the calls that meet them.
import { isObject } from "@oarlock/server-kit/protocol";
import { connectTo } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeRepository, type TestRepository } from "./repository.ts";
import { targetOf } from "./target.ts";
import { textOf } from "./world.ts";

/** What JSON writes as six bytes for one. */
const HEAVY = "\u0001";
const DEFAULT_LIMIT = 2_500_000;

/** At `scale` 1 larger than the default limit of a reply, at 0.05 than one of 100,000 bytes. */
export function makeLargeRepository(path: string, scale: number): TestRepository {
  const times = (count: number): number => Math.ceil(count * scale);
  const repository = makeRepository(path, { "heavy.txt": "", "long.txt": "", "wide.txt": "" });
  repository.write({
    "heavy.txt": `${HEAVY.repeat(200)}\n`.repeat(times(20_000)),
    "long.txt": "x".repeat(times(4_000_000)),
    "wide.txt": "😀\n".repeat(times(150_000)),
  });
  const small = repository.commit("small");
  repository.commit(`${"subject ".repeat(20)}\n\n${'"\\'.repeat(times(1_500_000))}`);
  for (let n = 0; n < 3; n++) repository.commit(`${n}\n\n${"body\n".repeat(times(50_000))}`);
  repository.write(Object.fromEntries(Array.from({ length: times(3000) }, (_, n) => [`many/${n}-${"ü".repeat(60)}.txt`, "x\n"])));
  repository.git("add", "-A");
  const refs = Array.from({ length: times(6000) }, (_, n) => [`refs/heads/${n}-${"b".repeat(150)}`, `refs/tags/${n}-${"t".repeat(150)}`]);
  repository.packedRefs(small, refs.flat());
  repository.write({ "heavy.txt": "", "long.txt": "y".repeat(times(4_000_000)), "wide.txt": "😁\n".repeat(times(150_000)) });
  return repository;
}

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

/** Registers a test of each call, and one of resources and prompts. Without a limit: one call of each tool, with `OARLOCK_LONG=1` all of them. */
export function testReplySizes(repository: () => TestRepository, maxResultBytes?: number): void {
  const limit = maxResultBytes ?? DEFAULT_LIMIT;
  const isTried = ([name]: (typeof CALLS)[number], at: number): boolean =>
    maxResultBytes !== undefined || process.env["OARLOCK_LONG"] === "1" || CALLS.findLastIndex(([other]) => other === name) === at;
  const connect = async () =>
    connectTo(await targetOf({ repositories: [repository().path], ...(maxResultBytes !== undefined && { maxResultBytes }) }));

  test.each(CALLS.filter(isTried))("keeps a reply within the limit: %s %j", async (name, args) => {
    await using wired = await connect();
    const result = await wired.client.call(name, args);
    expect(result.isError, textOf(result).slice(0, 500)).toBeUndefined();
    const bytes = Buffer.byteLength(JSON.stringify(result));
    expect(bytes).toBeLessThanOrEqual(limit);
    const data = isObject(result.structuredContent) ? result.structuredContent : {};
    if (data["truncated"] === true) expect(textOf(result)).toMatch(/\[(?:truncated|more|left out)|…/);
  });

  test("keeps resources and prompts within the limit", async () => {
    await using wired = await connect();
    for (const kind of ["status", "refs", "commit/HEAD~4", "diff/unstaged", "diff/HEAD~5..HEAD", "tree/HEAD/"]) {
      const read = await wired.client.read(`git:///project/${kind}`);
      expect(Buffer.byteLength(JSON.stringify(read))).toBeLessThanOrEqual(limit);
    }
    for (const name of ["commit_message", "review_changes", "summarize_history"]) {
      const prompt = await wired.client.request("prompts/get", {
        name,
        arguments: { ...(name === "summarize_history" && { since: "20 years ago" }) },
      });
      expect(Buffer.byteLength(JSON.stringify(prompt))).toBeLessThanOrEqual(limit);
    }
  });
}
