// Entries of the reflog, in pages, without the credentials that git records.
import { tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readReflog } from "../../../src/repo/history/reflog.ts";
import type { Repository } from "../../../src/repo/repository.ts";
import { openRepository } from "../../support/open-repository.ts";
import { makeRepository, type TestRepository } from "../../support/repository.ts";

const folder = tempFolder();
let repository: Repository;
let own: TestRepository;
const URL = "https://ann:secret@x.example/r.git";

beforeAll(async () => {
  own = makeRepository(folder.at("project"), { a: "a" });
  const first = own.git("rev-parse", "HEAD");
  own.commit(`second of ${URL}`);
  own.git("branch", "side");
  for (const action of [`pull ${URL} main`, `fetch ${URL}`, `clone: from ${URL}`, `pullover ${URL}`])
    own.raw(["update-ref", "-m", action, "HEAD", own.git("rev-parse", "HEAD") === first ? "side" : first]);
  repository = await openRepository(own);
});
afterAll(async () => {
  repository.close();
  await folder[Symbol.asyncDispose]();
});

const read = (ref = "HEAD", skip = 0, limit = 100) => readReflog(repository, ref, { skip, limit });
const CLEAN = "https://x.example/r.git";

test("counts entries from the newest, and keeps people's messages unchanged", async () => {
  const { entries, hasMore } = await read();
  expect(hasMore).toBe(false);
  expect(entries.map(({ selector, message }) => [selector, message])).toEqual([
    ["HEAD@{0}", `pullover ${URL}`],
    ["HEAD@{1}", `clone: from ${CLEAN}`],
    ["HEAD@{2}", `fetch ${CLEAN}`],
    ["HEAD@{3}", `pull ${CLEAN} main`],
    ["HEAD@{4}", `commit: second of ${URL}`],
    ["HEAD@{5}", "commit (initial): first"],
  ]);
  expect(entries.map(({ hash }) => hash)).toEqual(own.git("log", "-g", "--format=%H").split("\n"));
  for (const { date } of entries) expect(Date.parse(date)).toBeGreaterThan(0);
  expect(entries[4]?.date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[+-]\d\d:\d\d|Z)$/);
});

test("continues a page after the last entry", async () => {
  const all = (await read()).entries;
  for (const [skip, limit, hasMore] of [
    [0, 5, true],
    [0, 6, false],
    [2, 3, true],
    [5, 1, false],
    [6, 5, false],
  ] as const)
    expect(await read("HEAD", skip, limit)).toEqual({ entries: all.slice(skip, skip + limit), hasMore });
});

test("shows a branch by its short name", async () => {
  expect((await read("refs/heads/side")).entries.map(({ selector }) => selector)).toEqual(["side@{0}"]);
  own.git("update-ref", "--create-reflog", "refs/remotes/origin/main", "side");
  expect((await read("refs/remotes/origin/main")).entries.map(({ selector }) => selector)).toEqual(["origin/main@{0}"]);
});

test("returns no entries before the first commit", async () => {
  await using place = tempFolder();
  const empty = await openRepository(makeRepository(place.at("empty")));
  expect(await readReflog(empty, "HEAD", { skip: 0, limit: 9 })).toEqual({ entries: [], hasMore: false });
  empty.close();
});
