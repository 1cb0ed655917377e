// Pages of the history of one repository: where they begin and end, and what they select.
import { tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readLog, type LogOptions, type LogPage } from "../../../src/repo/history/log.ts";
import type { Repository } from "../../../src/repo/repository.ts";
import { openRepository } from "../../support/open-repository.ts";
import { hashes } from "../../support/oracle.ts";
import { makeRepository, type TestRepository } from "../../support/repository.ts";

const folder = tempFolder();
let repository: Repository;
let own: TestRepository;

beforeAll(async () => {
  own = makeRepository(folder.at("project")).fill(12, 3);
  own.git("checkout", "--quiet", "-b", "side", "HEAD~4");
  own.commit("Side WORK", { "side.txt": "Needle\n", "other.txt": "needle\n" });
  own.commit(
    "caf\u00e9",
    { "side.txt": "Needle moved\n" },
    { GIT_AUTHOR_NAME: "Bo Peep", GIT_AUTHOR_DATE: "1800000000 +0000", GIT_COMMITTER_DATE: "1800000000 +0000" },
  );
  own.git("mv", "side.txt", "renamed.txt");
  own.commit("renamed");
  own.git("tag", "light", "side~1");
  own.git("tag", "-a", "-m", "t", "noted", "side");
  own.git("tag", "-a", "-m", "t", "of-a-file", "side:renamed.txt");
  own.git("checkout", "--quiet", "main");
  own.raw(["merge", "--quiet", "--no-ff", "-m", "merged", "side"]);
  repository = await openRepository(own);
});
afterAll(async () => {
  repository.close();
  await folder[Symbol.asyncDispose]();
});

const DEFAULTS: LogOptions = {
  maxCount: 100,
  all: false,
  paths: [],
  follow: false,
  firstParent: false,
  stat: false,
  maxJsonBytes: 1_000_000,
};
const read = (options: Partial<LogOptions> = {}, of = repository): Promise<LogPage> => readLog(of, { ...DEFAULTS, ...options });
const ids = ({ commits }: LogPage): string[] => commits.map(({ hash }) => hash);

test.each<[options: Partial<LogOptions>, oracle: string[]]>([
  [{}, []],
  [{ revision: "side" }, ["side"]],
  [{ revision: "main~1..side" }, ["main~1..side"]],
  [{ revision: "main~1...side" }, ["main~1...side"]],
  [{ revision: "side", firstParent: true }, ["--first-parent", "side"]],
  [{ firstParent: true }, ["--first-parent"]],
  [{ all: true }, ["--all"]],
  [{ since: "2026-01-01" }, ["--since=2026-01-01"]],
  [{ until: "2026-01-01" }, ["--until=2026-01-01"]],
  [{ author: "bo p" }, ["--author=Bo P"]],
  [{ grep: "side work" }, ["--grep=Side WORK"]],
  [{ grep: "side", author: "ada" }, ["--grep=Side", "--author=Ada"]],
  [{ pickaxe: "Needle", revision: "side" }, ["-SNeedle", "side"]],
  [{ pickaxe: "needle", revision: "side" }, ["-Sneedle", "side"]],
  [{ paths: ["file-1.txt"] }, ["--", "file-1.txt"]],
  [{ paths: ["renamed.txt"] }, ["--", "renamed.txt"]],
  [{ paths: ["renamed.txt"], follow: true }, ["--follow", "--", "renamed.txt"]],
  [{ paths: ["renamed.txt"], follow: true, stat: true }, ["--follow", "--", "renamed.txt"]],
  [{ grep: "commit 1", author: "grace", firstParent: true }, ["--grep=commit 1", "--author=Grace", "--first-parent"]],
  [{ paths: ["file-1.txt", "renamed.txt"], stat: true }, ["--", "file-1.txt", "renamed.txt"]],
])("%j selects the commits that git selects by %j", async (options, oracle) => {
  const expected = hashes(own, ...oracle);
  const whole = await read(options);
  expect([ids(whole), whole.nextCursor]).toEqual([expected, undefined]);
  // The same in pages, whose last one says that it is the last.
  const size = expected.length > 8 ? 6 : 2;
  const seen: string[] = [];
  for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page += 1) {
    const { commits, nextCursor } = await read({ ...options, maxCount: size, cursor });
    expect(commits.length).toBe(Math.min(size, expected.length - size * page));
    seen.push(...commits.map(({ hash }) => hash));
    cursor = nextCursor;
  }
  expect(seen).toEqual(expected);
});

test("counts files only on request, and shortens refs", async () => {
  const [head] = (await read({ maxCount: 1 })).commits;
  expect(head).not.toHaveProperty("stats");
  expect(head?.refs).toEqual(["HEAD -> main"]);
  const [renamed] = (await read({ revision: "side", stat: true, maxCount: 1 })).commits;
  expect(renamed?.stats).toEqual([expect.objectContaining({ path: "renamed.txt" })]);
});

test("fits as many commits on a page as its size allows, and at least one", async () => {
  const all = hashes(own);
  for (const [maxJsonBytes, count] of [
    [1, 1],
    [500, 1],
    [1000, 2],
    [2000, 4],
  ] as const) {
    const page = await read({ maxJsonBytes });
    expect(page.nextCursor).toBeDefined();
    expect(Math.abs(page.commits.length - count)).toBeLessThanOrEqual(1);
    expect(ids(await read({ cursor: page.nextCursor, maxCount: 1 }))).toEqual(all.slice(page.commits.length, page.commits.length + 1));
  }
  expect((await read({ maxJsonBytes: 2000, stat: true })).commits.length).toBeLessThan((await read({ maxJsonBytes: 2000 })).commits.length);
});

describe("refuses options", () => {
  test.each<[options: Partial<LogOptions>, message: string]>([
    [{ all: true, revision: "side" }, "all_branches and revision exclude each other: leave one of them out."],
    [{ pickaxe: "" }, "pickaxe is empty: give the text to search, or leave pickaxe out."],
    [{ follow: true }, "follow needs exactly one path: give one in paths."],
    [{ follow: true, paths: ["a", "b"] }, "follow needs exactly one path: give one in paths."],
    [{ since: "florp" }, "florp"],
    [{ until: "florp" }, "florp"],
    [{ author: "(a{200}){200}" }, "repeats too much"],
    [{ grep: "(a{200}){200}" }, "repeats too much"],
    [{ revision: "none..side" }, 'Unknown revision "none"'],
    [{ paths: ["../x"] }, "Access denied - path outside the repository: ../x"],
  ])("refuses %j", async (options, message) => {
    const code = message.startsWith("Access denied") ? "denied" : message.startsWith("Unknown") ? "not-found" : "invalid";
    await expect(read(options)).rejects.toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) as string }));
  });
});

test.each<Partial<LogOptions>>([
  { revision: "side" },
  { all: true },
  { paths: ["file-1.txt"] },
  { since: "2020-01-01" },
  { until: "2030-01-01" },
  { author: "a" },
  { grep: "c" },
  { pickaxe: "file" },
  { firstParent: true },
  { stat: true },
])("refuses a cursor of another query than %j", async (options) => {
  const { nextCursor: cursor } = await read({ maxCount: 1 });
  await expect(read({ ...options, cursor })).rejects.toThrow("Invalid cursor: it does not belong");
  const { nextCursor: other } = await read({ ...options, maxCount: 1 });
  await expect(read({ cursor: other })).rejects.toThrow("Invalid cursor: it does not belong");
});

test("pages from the commits of the first page until these are gone", async () => {
  await using place = tempFolder();
  const moving = makeRepository(place.at("moving"), { a: "1" });
  for (const text of ["2", "3"]) moving.commit(text, { a: text });
  const opened = await openRepository(moving);
  const expected = hashes(moving);
  const { nextCursor: cursor } = await read({ maxCount: 1 }, opened);
  moving.git("reset", "--hard", "--quiet", "HEAD~2");
  moving.commit("other", { a: "4" });
  expect(ids(await read({ cursor }, opened))).toEqual(expected.slice(1));
  moving.git("reflog", "expire", "--expire=now", "--all");
  moving.git("gc", "--quiet", "--prune=now");
  await expect(read({ cursor }, opened)).rejects.toThrow(
    expect.objectContaining({
      code: "invalid",
      message: "The cursor is too old: its first commits are gone from the repository. Leave it out to start again.",
    }),
  );
  opened.close();
});

test("returns an empty history before the first commit", async () => {
  await using place = tempFolder();
  const opened = await openRepository(makeRepository(place.at("empty")));
  for (const all of [true, false]) expect(await read({ all }, opened)).toEqual({ commits: [], nextCursor: undefined, broken: [] });
  opened.close();
});

test("selects commits by paths that are not UTF-8", async () => {
  await using place = tempFolder();
  const odd = makeRepository(place.at("odd"), { a: "1" });
  const blob = odd.raw(["hash-object", "-w", "--stdin"], { input: "x" }).toString().trim();
  odd.raw(["update-index", "--add", "-z", "--index-info"], { input: Buffer.from(`100644 ${blob}\tcaf\xe9\0`, "latin1") });
  odd.git("commit", "--quiet", "-m", "odd");
  const opened = await openRepository(odd);
  expect(ids(await read({ paths: ["caf\\xE9"] }, opened))).toEqual(hashes(odd, "-1"));
  opened.close();
});

test("lists with all the commits that only an annotated tag, a remote branch or a detached HEAD reaches", async () => {
  await using place = tempFolder();
  const scattered = makeRepository(place.at("scattered"), { a: "1" });
  const commitOn = (name: string): void => {
    scattered.git("checkout", "--quiet", "-b", name, "main");
    scattered.commit(name, { a: name });
  };
  commitOn("tagged");
  scattered.git("tag", "-a", "-m", "t", "of-a-commit");
  scattered.git("tag", "-a", "-m", "t", "of-a-file", "HEAD:a");
  commitOn("remote");
  scattered.git("update-ref", "refs/remotes/origin/remote", "HEAD");
  scattered.git("checkout", "--quiet", "--detach", "main");
  scattered.git("branch", "--quiet", "-D", "tagged", "remote");
  scattered.commit("detached", { a: "detached" });
  const opened = await openRepository(scattered);
  expect(ids(await read({ all: true }, opened)).toSorted()).toEqual(hashes(scattered, "--all", "HEAD").toSorted());
  expect(ids(await read({ all: true }, opened))).toHaveLength(4);
  opened.close();
});

test("stores fifty branches in a cursor, and a digest that notices changes for more", async () => {
  await using place = tempFolder();
  const many = makeRepository(place.at("many")).fill(52, 1);
  const [tip = "", ...others] = hashes(many);
  const branch = (id: string): string => many.git("branch", `b-${id}`, id);
  others.slice(0, 49).forEach(branch);
  const opened = await openRepository(many);
  const first = async (): Promise<string> => (await read({ all: true, maxCount: 1 }, opened)).nextCursor ?? "";
  const ofFifty = await first();
  branch(others[49] ?? "");
  const ofMore = await first();
  expect(ofMore.length).toBeLessThan(ofFifty.length / 5);
  for (const cursor of [ofFifty, ofMore]) expect(ids(await read({ all: true, cursor }, opened))).toEqual(others);
  many.commit("later", { x: "x" });
  expect(ids(await read({ all: true, cursor: ofFifty }, opened))).toEqual(others);
  await expect(read({ all: true, cursor: ofMore }, opened)).rejects.toThrow("The branches have changed since the first page.");
  expect(tip).not.toBe("");
  opened.close();
});
