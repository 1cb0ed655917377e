// A page stands first and the line that leads to the next one behind it; before a page that hosts may cut.
import { expect, test } from "vitest";
import type { Json } from "@oarlock/server-kit/protocol";
import { world } from "../../support/world.ts";

const LINES = (words: string): string => Array.from({ length: 40 }, (_value, at) => `${at} ${words}\n`).join("");

test.each<readonly [tool: string, args: Json]>([
  ["git_log", { max_count: 1 }],
  ["git_reflog", { max_count: 1 }],
  ["git_grep", { pattern: "e", limit: 1 }],
  ["git_diff_unstaged", { max_bytes: 700 }],
  ["git_show", { revision: "HEAD", max_bytes: 700 }],
])("%s names the next page once, in the last line", async (tool, args) => {
  await using at = await world({ tree: { "a.txt": LINES("e"), "b.txt": "e\n" } });
  at.repository.commit("second", { "a.txt": LINES("see"), "b.txt": "see\n" });
  at.repository.write({ "a.txt": LINES("be"), "b.txt": "be\n" });
  const { text, data } = await at.call(tool, args);
  const cursor = String(data["nextCursor"]);
  expect(text.split("\n").at(-1)).toBe(`[more: continue with cursor ${cursor}]`);
  expect(text.split(cursor)).toHaveLength(2);
});

/** Files of 4 KB that have all changed. */
const changed = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_value, at) => [`${at}.txt`, LINES("long ".repeat(20))]));

test("names the next page before patches that hosts may cut", async () => {
  await using at = await world({ tree: { "0.txt": "a\n" } });
  at.repository.write(changed(9)).git("add", "--intent-to-add", ".");
  const { text, data } = await at.call("git_diff_unstaged", { max_bytes: 20_000 });
  const more = `[more: continue with cursor ${String(data["nextCursor"])}]`;
  expect(text.split("\n").slice(0, 2)).toEqual(["Unstaged changes:", more]);
  expect(text.split(more)).toHaveLength(2);
});

test("names the tool with pages where a resource leaves patches out", async () => {
  await using at = await world({ tree: { "0.txt": "a\n" }, maxResultBytes: 50_000 });
  at.repository.write(changed(9)).git("add", "--intent-to-add", ".");
  const [content] = (await at.client.read("git:///project/diff/unstaged")).contents;
  expect(content).toMatchObject({ text: expect.stringContaining("[truncated: git_diff or git_show has the rest, in pages]") });
  expect(content).toMatchObject({ text: expect.not.stringContaining("continue with cursor") });
});
