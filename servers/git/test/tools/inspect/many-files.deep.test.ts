// Diffs of thousands of files: hosts show about 60 KB of a reply.
import { afterAll, beforeAll, expect, test } from "vitest";
import { world, type World } from "../../support/world.ts";

const FILES = 700;
const name = (n: number): string => `src/module-${n % 30}/component-${"with-a-long-name-".repeat(4)}${n}.ts`;

let at: World;

beforeAll(async () => {
  const tree = (content: (n: number) => string) => Object.fromEntries(Array.from({ length: FILES }, (_, n) => [name(n), content(n)]));
  at = await world({ tree: tree((n) => `${n}\n`) });
  at.repository.write(tree((n) => `${n}\n${"x".repeat(n % 50 === 0 ? 9000 : 80)}\n`));
});

afterAll(() => at[Symbol.asyncDispose]());

interface Page {
  readonly files: { readonly path: string; readonly patch?: string }[];
  readonly omitted: { readonly path: string; readonly reason: string }[];
  readonly totals: { readonly files: number };
  readonly nextCursor?: string;
}

test("names as many files of a diff of thousands as a host shows, and counts the rest", async () => {
  const reply = await at.call("git_diff_unstaged", {});
  const [content, page] = [reply.text, reply.data as unknown as Page];
  expect(Buffer.byteLength(content)).toBeLessThanOrEqual(64_000);
  expect(content.slice(0, 1500)).toContain(`[more: continue with cursor ${page.nextCursor}]`);
  const named = content.split("\n").filter((line) => /^ {2}src\//.test(line)).length;
  expect(named).toBeGreaterThan(200);
  expect(content).toContain(`  … and ${page.omitted.length - named} more files: continue with the cursor, or name paths`);
  expect(page.totals.files).toBe(FILES);
  expect(new Set(page.files.map(({ path }) => path)).size).toBe(FILES);
});

test("shows each patch once over the pages of a diff of thousands of files", async () => {
  const seen: string[] = [];
  for (let cursor: string | undefined, pages = 0; pages < 100; pages += 1) {
    const reply = await at.call("git_diff_unstaged", cursor === undefined ? {} : { cursor });
    const page = reply.data as unknown as Page;
    expect(Buffer.byteLength(reply.text)).toBeLessThanOrEqual(64_000);
    seen.push(...page.files.filter(({ patch }) => patch !== undefined).map(({ path }) => path));
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  expect(new Set(seen).size).toBe(FILES);
  expect(seen).toHaveLength(FILES);
});

test.each(["names", "stat"])("lists with format %s as many files as a host shows, and more with max_bytes", async (format) => {
  const content = (await at.call("git_diff_unstaged", { format })).text;
  expect(Buffer.byteLength(content)).toBeLessThanOrEqual(64_000);
  expect(content.slice(0, 1500)).toMatch(/\[truncated: \d+ of 700 files are listed; name paths, or set max_bytes for more\]/);
  const full = (await at.call("git_diff_unstaged", { format, max_bytes: 1_000_000 })).text;
  for (let n = 0; n < FILES; n += 1) expect(full).toContain(name(n));
});
