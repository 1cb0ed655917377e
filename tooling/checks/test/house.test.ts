/** Tests the figures of `pnpm checks:house` on small sources, and the check of commit subjects. */
import { describe, expect, test } from "vitest";
import { subjectProblem } from "../src/commit-subjects.ts";
import { figures, fullFolders, houseReport } from "../src/house.ts";
import { readSources, type Sources } from "../src/sources.ts";
import { hardTitles, titlesOf } from "../src/test-titles.ts";
import { countWords, describeHit, findWords, readWords } from "../src/word-list.ts";

describe("old words", () => {
  const words = [
    { old: "Pace", where: new Set(["name", "file"]), new: "ProgressThrottle" },
    { old: "on wheels", where: new Set(["text"]), new: "in flight" },
  ];

  test("count as whole names, in file names, comments, sentences and prose", () => {
    const code = { "src/Pace.ts": 'new Pace(); pace(); // Work on wheels\nfail("Pace: on wheels"); call("onwheels");' };
    const pages = { "README.md": "Work on wheels. `on wheels` is code.\n```\non wheels\n```" };
    expect(countWords(words, code, pages).map(({ word, count, files }) => [word.old, count, files])).toEqual([
      ["on wheels", 3, ["src/Pace.ts", "README.md"]],
      ["Pace", 2, ["src/Pace.ts"]],
    ]);
  });

  test("are listed with file and line", () => {
    const code = { "src/Pace.ts": '// Why\nnew Pace();\n/* Work that is\non wheels. */ call("on wheelset");' };
    const pages = { "README.md": "```\non wheels\n```\nWork on wheels." };
    expect(findWords(words, code, pages).map(describeHit)).toEqual([
      "src/Pace.ts:1: Pace → ProgressThrottle",
      "src/Pace.ts:2: Pace → ProgressThrottle",
      "src/Pace.ts:4: on wheels → in flight",
      "README.md:4: on wheels → in flight",
    ]);
  });

  test("exclude the words of regular expressions, and include strings behind them", () => {
    const code = { "a.ts": 'match(/"Pace\\/[/"]/); half = whole / Pace; say("on wheels");' };
    expect(findWords(words, code, {}).map(({ found }) => found)).toEqual(["Pace", "on wheels"]);
  });

  test("exclude plain English", () => {
    // Without spaces, so that this file does not count.
    const text = 'There_is_no_test._It_is_no_longer_open._The_user_"nobody"._This_is_no_test_of_nobody._Say_what_it_holds.'.replaceAll(
      "_",
      " ",
    );
    const found = findWords(readWords(), {}, { "README.md": text }).map((hit) => hit.found.trim());
    expect(found.toSorted()).toEqual(["is no", "nobody"]);
  });

  test("each have a replacement and a position", () => {
    const table = readWords();
    expect(table.length).toBeGreaterThan(30);
    for (const word of table) {
      expect(word.new, word.old).not.toBe("");
      expect(
        [...word.where].every((where) => ["name", "file", "text"].includes(where)),
        word.old,
      ).toBe(true);
    }
  });

  test("do not count as names in the package that has them as a public argument", () => {
    const argument = readWords().filter(({ argumentIn }) => argumentIn !== undefined);
    expect(argument.map(({ old }) => old)).toEqual(["told"]);
    for (const { old, argumentIn = "" } of argument) expect(readSources(argumentIn)[argumentIn]).toContain(` ${old}: z.`);
    const source = "const_told_=_1;_//_it_was_told".replaceAll("_told", " told").replaceAll("_", " ");
    const sources = { "servers/memory/src/a.ts": source, "servers/git/src/a.ts": source };
    expect(findWords(readWords(), sources, {}).map(({ path, word }) => [path, [...word.where][0]])).toEqual([
      ["servers/memory/src/a.ts", "text"],
      ["servers/git/src/a.ts", "name"],
      ["servers/git/src/a.ts", "text"],
    ]);
  });
});

describe("test titles", () => {
  test("are the first arguments of tests and their groups", () => {
    const text = 'test("a b", run); describe.each([["x"]])("%s c", () => it(`d ${1}`)); everyRevision("e", run); call("f");';
    expect(titlesOf(text)).toEqual(["a b", "%s c", "d ", "e"]);
  });

  test("count where their subject is a clause", () => {
    const titles = [
      "what it holds",
      "KIT-01 case KIT-02 those that fail",
      "the client is named by it",
      "tells what it holds",
      "whatever",
      "meant",
    ];
    const sources = { "a.test.ts": titles.map((title) => `test(${JSON.stringify(title)}, run);`).join("\n") };
    expect(hardTitles(sources)).toEqual(titles.slice(0, 3).map((title) => `a.test.ts: ${title}`));
  });
});

test("counts the files of a folder without its subfolders", () => {
  const sources = Object.fromEntries(["a/1.ts", "a/2.ts", "a/b/1.ts"].map((path) => [path, ""]));
  expect(fullFolders(sources, 1)).toEqual(["a: 2 files"]);
});

test("counts every figure", () => {
  const rows = figures((): Sources => ({
    "packages/server-kit/src/a.ts": 'import "./b.ts";',
    "packages/server-kit/src/b.ts": 'import "./a.ts";',
  }));
  expect(rows).toHaveLength(14);
  expect(rows.filter(({ now }) => now > 0).map(({ what, now }) => [what, now])).toEqual([
    ["server-kit, lines", 2],
    ["largest file, lines", 1],
  ]);
});

test("prints a line for each aim, and examples for missed ones", () => {
  const report = houseReport([
    { what: "one", now: 1200, aim: 1000, examples: ["here"] },
    { what: "two", now: 0, aim: 0, examples: [] },
  ]);
  expect(report).toBe(
    "| figure | now | aim | |\n| --- | ---: | ---: | --- |\n| one | 1,200 | ≤ 1,000 | missed |\n| two | 0 | ≤ 0 | met |\n\none:\n  here",
  );
});

test.each([
  ["git: refuse unknown dates instead of reading them as now", undefined],
  ["git, sqlite: follow the new names", undefined],
  ["Merge branch 'main'", undefined],
  ["Git: refuse unknown dates", "expected a lower-case scope"],
  ["refuse unknown dates", "expected a lower-case scope"],
  [`git: ${"x".repeat(68)}`, "expected at most 72 characters, got 73"],
  ["git: refuse unknown dates.", "expected no period"],
])("subject %j", (subject, problem) => {
  if (problem === undefined) expect(subjectProblem(subject)).toBeUndefined();
  else expect(subjectProblem(subject)).toContain(problem);
});
