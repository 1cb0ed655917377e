// search_files sorted by time or size, with totals, in pages.
import { utimesSync, writeFileSync } from "node:fs";
import { needs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { searchMeasured } from "../../../../src/disk/search/names/measured-search.ts";
import { searchFiles, type SearchOptions } from "../../../../src/disk/search/names/name-search.ts";
import type { Sandbox } from "../../../../src/disk/access/sandbox.ts";
import { scratch } from "../../support/scratch.ts";

const searchNewest = (sandbox: Sandbox, path: string, options: SearchOptions) =>
  searchMeasured(sandbox, path, { ...options, sortBy: "time", showsFacts: false });

const TIMES = { "d/a": 300, b: 100, c: 200, "d/e": 200, "d/f/g": 400 };

test("lists the newest first and equal times by path, page after page", async () => {
  const here = scratch(Object.fromEntries(Object.keys(TIMES).map((name) => [name, ""])));
  for (const [name, time] of Object.entries(TIMES)) utimesSync(here.at(name), time, time);
  const sandbox = await here.sandbox();
  const wanted = ["d/f/g", "d/a", "c", "d/e", "b"].map(here.at);
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await searchNewest(sandbox, here.root, { pattern: "**", type: "file", limit: 2, cursor });
    expect(page.truncated).toBe(page.nextCursor !== undefined);
    found.push(...page.paths);
    cursor = page.nextCursor;
    expect("nextCursor" in page).toBe(page.truncated);
  } while (cursor !== undefined);
  expect(found).toEqual(wanted);
});

test("refuses a cursor of the other order", async () => {
  const here = scratch({ a: "", b: "", c: "" });
  const sandbox = await here.sandbox();
  const options = { pattern: "*", limit: 1 };
  const [one, other] = [await searchNewest(sandbox, here.root, options), await searchFiles(sandbox, here.root, options)];
  await expect(searchFiles(sandbox, here.root, { ...options, cursor: one.nextCursor })).rejects.toThrow("cursor");
  await expect(searchNewest(sandbox, here.root, { ...options, cursor: other.nextCursor })).rejects.toThrow("cursor");
});

test("refuses a cursor of another search", async () => {
  const here = scratch({ a: "", b: "" });
  const sandbox = await here.sandbox();
  const { nextCursor: cursor } = await searchNewest(sandbox, here.root, { pattern: "*", limit: 1 });
  await expect(searchNewest(sandbox, here.root, { pattern: "a", limit: 1, cursor })).rejects.toThrow("cursor");
});

test("ends a page when its paths fill the reply as text and data", async () => {
  const here = scratch({ aa: "", bb: "", cc: "" });
  const sandbox = await here.sandbox();
  const pathsOn = async (maxBytes: number) => (await searchNewest(sandbox, here.root, { pattern: "*", maxBytes })).paths.length;
  const each = 3 * JSON.stringify(here.at("aa")).length;
  expect([await pathsOn(each), await pathsOn(2 * each - 1), await pathsOn(2 * each), await pathsOn(3 * each)]).toEqual([1, 1, 2, 3]);
});

test("lists a name that is not UTF-8, whose time is unknown, last", needs("names of any bytes"), async () => {
  const here = scratch({ a: "" });
  utimesSync(here.at("a"), 100, 100);
  writeFileSync(Buffer.concat([Buffer.from(`${here.root}/0`), Buffer.from([0xe9])]), "");
  const { paths } = await searchNewest(await here.sandbox(), here.root, { pattern: "*" });
  expect(paths).toEqual([here.at("a"), expect.stringContaining("0")]);
});

test("lists the largest first, with the totals of all pages", async () => {
  const here = scratch({ "d/big": "x".repeat(3000), mid: "x".repeat(200), small: "x", empty: "" });
  const sandbox = await here.sandbox();
  const options = { pattern: "**", sortBy: "size", showsFacts: true, limit: 2 } as const;
  const page = await searchMeasured(sandbox, here.root, options);
  expect(page.entries.map(({ path, size }) => [path, size])).toEqual([
    [here.at("d/big"), 3000],
    [here.at("mid"), 200],
  ]);
  expect(page.totals).toEqual({ files: 4, directories: 1, others: 0, bytes: 3201 });
  const next = await searchMeasured(sandbox, here.root, { ...options, limit: 10, cursor: page.nextCursor });
  expect(next.paths).toEqual(["small", "d", "empty"].map(here.at));
});
