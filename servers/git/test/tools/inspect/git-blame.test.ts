// git_blame and git_grep against git's own.
import { execFileSync } from "node:child_process";
import { linkTo, needs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { linesIn, oracle, perLine, type Hunk } from "../../support/blame-lines.ts";
import { world } from "../../support/world.ts";

test("gives each line the commit that git names and the text the lines", async () => {
  await using at = await world({ tree: { "f.txt": "1\n2\n3\n4\n5\n" } });
  at.repository.commit("second", { "f.txt": "1\ntwo\n3\n4\n5\nsix\n" });
  at.repository.write({ "f.txt": "1\ntwo\n3\nfour\n5\nsix\n" });
  const { data, text } = await at.call("git_blame", { path: "f.txt" });
  const hunks = data["hunks"] as Hunk[];
  expect(perLine(hunks)).toEqual(oracle(at, "f.txt"));
  expect(linesIn(text)).toEqual(["1", "two", "3", "four", "5", "six"]);
  expect(hunks[0]).toEqual({
    startLine: 1,
    endLine: 1,
    hash: at.repository.git("rev-parse", "HEAD~1"),
    author: "Ada Lovelace",
    date: at.repository.git("log", "-1", "--format=%aI", "HEAD~1"),
    summary: "first",
  });
  const past = await at.call("git_blame", { path: "f.txt", revision: "HEAD~1" });
  expect(perLine(past.data["hunks"] as Hunk[])).toEqual(oracle(at, "HEAD~1", "--", "f.txt"));
});

test("accepts an end beyond the file and refuses a start beyond it", async () => {
  await using at = await world({ tree: { "f.txt": "1\n2\n3\n" } });
  expect(linesIn((await at.call("git_blame", { path: "f.txt", start_line: 2, end_line: 2 })).text)).toEqual(["2"]);
  expect(linesIn((await at.call("git_blame", { path: "f.txt", start_line: 2, end_line: 99 })).text)).toEqual(["2", "3"]);
  expect(await at.failure("git_blame", { path: "f.txt", start_line: 9 })).toBe("f.txt has only 3 lines. Give a smaller start_line.");
  expect(await at.failure("git_blame", { path: "f.txt", start_line: 3, end_line: 1 })).toBe(
    "end_line 1 lies before start_line 3. Swap them.",
  );
  expect(await at.failure("git_blame", { path: "nope.txt" })).toBe("git tracks no nope.txt here. Check the path.");
});

test("refuses a path in another case or without its folder and suggests the right one", async () => {
  await using at = await world({ tree: { "src/cart.js": "1\n", "lib/cart.js": "1\n", "Read me.md": "1\n" } });
  const head = at.repository.git("rev-parse", "HEAD").slice(0, 12);
  for (const [path, meant] of [
    ["src/Cart.js", "src/cart.js"],
    ["Cart.js", "lib/cart.js, src/cart.js"],
    ["read me.md", "Read me.md"],
  ] as const) {
    expect(await at.failure("git_blame", { path })).toBe(`git tracks no ${path} here. Did you mean ${meant}?`);
    expect(await at.failure("git_blame", { path, revision: "HEAD" })).toContain(`Did you mean ${meant}?`);
    expect(await at.failure("git_show", { revision: "HEAD", path })).toBe(`There is no ${path} in ${head}. Did you mean ${meant}?`);
  }
});

test("continues a truncated blame by a cursor, which other queries refuse", async () => {
  const lines = Array.from({ length: 5000 }, (_, n) => `line ${n} ${"x".repeat(40)}`);
  await using at = await world({ tree: { "f.txt": `${lines.join("\n")}\n` }, maxResultBytes: 100_000 });
  const seen: string[] = [];
  let isDone = false;
  let cursor: unknown;
  do {
    const { data, text } = await at.call("git_blame", { path: "f.txt", ...(cursor !== undefined && { cursor }) });
    expect(Buffer.byteLength(JSON.stringify([data, text]))).toBeLessThan(100_000);
    seen.push(...linesIn(text));
    cursor = data["nextCursor"] ?? cursor;
    isDone = data["nextCursor"] === undefined;
  } while (!isDone);
  expect(seen).toEqual(lines);
  expect(await at.failure("git_blame", { path: "f.txt", start_line: 2, cursor })).toContain("cursor");
});

test("blames renamed files, CRLF and lines that are not UTF-8, and ignores whitespace", async () => {
  await using at = await world({ tree: { "old.txt": "one\ntwo\nthree\nfour\n" } });
  at.repository.git("mv", "old.txt", "new.txt");
  at.repository.commit("moved");
  at.repository.commit("indented", { "new.txt": "one\n  two\nthree\nfour\n" });
  const whole = await at.call("git_blame", { path: "new.txt" });
  expect(perLine(whole.data["hunks"] as Hunk[])).toEqual(oracle(at, "new.txt"));
  expect(whole.data["hunks"]).toContainEqual(expect.objectContaining({ summary: "first", oldPath: "old.txt" }));
  const plain = await at.call("git_blame", { path: "new.txt", ignore_whitespace: true });
  expect(perLine(plain.data["hunks"] as Hunk[])).toEqual(oracle(at, "-w", "new.txt"));
  at.repository.commit("odd", { "odd.txt": Buffer.from("caf\xe9\r\nplain\r\n", "latin1") });
  expect(linesIn((await at.call("git_blame", { path: "odd.txt" })).text)).toEqual(["café", "plain"]);
});

const CODE = {
  "src/a.ts": "export const one = 1;\nconst Two = 2;\n",
  "src/b.ts": "import { one } from './a.ts';\n",
  "c.bin": Buffer.from("one\0one"),
  "-d.txt": "one more\n",
};

test("git_grep matches git grep in the work tree and in a revision", async () => {
  await using at = await world({ tree: CODE });
  at.repository.write({ "src/b.ts": "one here\nand one there\n", "untracked.txt": "one\n" });
  const found = async (args: object) =>
    ((await at.call("git_grep", { pattern: "one", ...args })).data["matches"] as { path: string; line: number; text: string }[]).map(
      ({ path, line, text }) => `${path}:${line}:${text}`,
    );
  const own = (...args: string[]) =>
    at.repository
      .loosely("grep", "-n", "-I", ...args)
      .split("\n")
      .filter((line) => line !== "");
  expect(await found({})).toEqual(own("-e", "one"));
  expect(await found({ revision: "HEAD" })).toEqual(own("-e", "one", "HEAD").map((line) => line.replace("HEAD:", "")));
  expect(await found({ pattern: "two", ignore_case: true })).toEqual(own("-i", "-e", "two"));
  expect(await found({ pattern: "o(n)e.*(1|here)" })).toEqual(own("-E", "-e", "o(n)e.*(1|here)"));
  expect(await found({ pattern: "{ one }", literal: true, revision: "HEAD" })).toEqual(["src/b.ts:1:import { one } from './a.ts';"]);
  expect(await found({ paths: ["src"] })).toEqual(own("-e", "one", "--", "src"));
  expect(await found({ pattern: "nothing at all" })).toEqual([]);
});

test("git_grep pages through matches with their context", async () => {
  const lines = Array.from({ length: 100 }, (_, n) => (n % 10 === 5 ? `hit ${n}` : `line ${n}`));
  await using at = await world({ tree: { "f.txt": `${lines.join("\n")}\n` } });
  const seen: number[] = [];
  let cursor: unknown;
  do {
    const { data } = await at.call("git_grep", { pattern: "hit", limit: 3, ...(cursor !== undefined && { cursor }) });
    seen.push(...(data["matches"] as { line: number }[]).map(({ line }) => line));
    cursor = data["nextCursor"];
  } while (cursor !== undefined);
  expect(seen).toEqual([6, 16, 26, 36, 46, 56, 66, 76, 86, 96]);
  const { data } = await at.call("git_grep", { pattern: "hit 15", context_lines: 2 });
  expect(data["matches"]).toEqual([
    { path: "f.txt", line: 16, text: "hit 15", before: ["line 13", "line 14"], after: ["line 16", "line 17"] },
  ]);
});

test("git_grep gives each match its own context and prints a line once", async () => {
  await using at = await world({ tree: { "f.txt": "1\n2\nhit\n4\n5\n6\nhit\nhit\n9\n" } });
  for (const revision of [undefined, "HEAD"]) {
    const args = { pattern: "hit", context_lines: 2, ...(revision !== undefined && { revision }) };
    const { data, text } = await at.call("git_grep", args);
    expect(data["matches"]).toEqual([
      { path: "f.txt", line: 3, text: "hit", before: ["1", "2"], after: ["4", "5"] },
      { path: "f.txt", line: 7, text: "hit", before: ["5", "6"] },
      { path: "f.txt", line: 8, text: "hit", after: ["9"] },
    ]);
    expect(text.split("\n").map((line) => Number(/^f\.txt[-:](\d+)/.exec(line)?.[1]))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const first = await at.call("git_grep", { ...args, limit: 1 });
    const second = await at.call("git_grep", { ...args, cursor: first.data["nextCursor"] });
    expect(second.data["matches"]).toEqual((data["matches"] as unknown[]).slice(1));
  }
});

test("reads blame.ignoreRevsFile only from files of the work tree", needs("named pipes"), async () => {
  await using at = await world({ tree: { "f.txt": "1\n2\n", out: linkTo("../secret") } });
  at.folder.write({ secret: "secret content\n" });
  const second = at.repository.commit("second", { "f.txt": "1\ntwo\n" });
  at.repository.write({ ignored: `${second}\n` });
  execFileSync("mkfifo", [`${at.repository.path}/pipe`]);
  const blame = (value: string): Promise<string> => {
    at.repository.git("config", "blame.ignoreRevsFile", value);
    return at.failure("git_blame", { path: "f.txt" });
  };
  for (const value of [
    at.folder.at("secret"),
    "../secret",
    "out",
    "pipe",
    ".git/config",
    ".",
    "~/secret",
    "%(prefix)/secret",
    "../nothing",
  ])
    expect(await blame(value)).toContain("Refused: blame.ignoreRevsFile");
  expect(await blame("missing")).toContain("names a missing file");
  at.repository.git("config", "blame.ignoreRevsFile", "ignored");
  expect(perLine((await at.call("git_blame", { path: "f.txt" })).data["hunks"] as Hunk[])).toEqual(oracle(at, "f.txt"));
});
