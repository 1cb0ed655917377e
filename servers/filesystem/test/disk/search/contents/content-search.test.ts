// search_file_contents: what is found, and how it is shown.
import { getEventListeners } from "node:events";
import { writeFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { searchContents } from "../../../../src/disk/search/contents/content-search.ts";
import { contentsText } from "../../../../src/disk/search/contents/result-text.ts";
import { scratch } from "../../support/scratch.ts";
import { found, HAY, search, type SearchRequest } from "./search.ts";

describe("files of a search", () => {
  const files = {
    "a.ts": HAY,
    "b.md": "Needle\n",
    ".hidden": HAY,
    ".git/config": HAY,
    "sub/.deep/c.ts": HAY,
    "sub/d.ts": HAY,
    "sub/gen/e.gen.ts": HAY,
    "dist/f.js": HAY,
    binary: Buffer.from(`a\0\xff\n${HAY}`, "latin1"),
    link: { link: "a.ts" },
    "folder-link": { link: "sub" },
    ".gitignore": "dist/\n*.gen.ts\n",
  };

  test.each<[string, SearchRequest, string[]]>([
    ["binary, hidden, ignored and linked files are left out", {}, ["a.ts:2", "sub/d.ts:2"]],
    ["without regard to case", { caseSensitive: false }, ["a.ts:2", "b.md:1", "sub/d.ts:2"]],
    ["hidden ones on request, but never .git", { includeHidden: true }, [".hidden:2", "a.ts:2", "sub/.deep/c.ts:2", "sub/d.ts:2"]],
    ["ignored ones on request", { respectGitignore: false }, ["a.ts:2", "dist/f.js:2", "sub/d.ts:2", "sub/gen/e.gen.ts:2"]],
    ["a glob without a slash is meant at any depth", { include: ["*.ts"] }, ["a.ts:2", "sub/d.ts:2"]],
    ["a glob with one from the directory", { include: ["sub/*"] }, ["sub/d.ts:2"]],
    ["from the directory, written otherwise", { include: ["./sub/**"] }, ["sub/d.ts:2"]],
    ["at the top only", { include: ["/*.ts"] }, ["a.ts:2"]],
    ["several globs, braces", { include: ["*.{md,ts}"], exclude: ["a.*"] }, ["sub/d.ts:2"]],
    ["an excluded directory with all below it", { exclude: ["sub"] }, ["a.ts:2"]],
    ["the same with a slash", { exclude: ["sub/"] }, ["a.ts:2"]],
    ["relative to the directory of the call", { below: "sub", include: ["/d.ts"] }, ["sub/d.ts:2"]],
    [
      "an include brings back nothing that is ignored or hidden",
      { include: ["*.gen.ts", ".hidden", "*.ts", "dist/**"] },
      ["a.ts:2", "sub/d.ts:2"],
    ],
    ["ignore files above the directory count", { below: "sub" }, ["sub/d.ts:2"]],
    ["an ignored directory that is named is searched", { below: "dist" }, ["dist/f.js:2"]],
    ["a file that is named is searched, whatever it is called", { below: ".hidden" }, [".hidden:2"]],
    ["a binary one is not", { below: "binary" }, []],
    ["nothing found", { pattern: "nowhere" }, []],
  ])("servers#335 include or leave out %s", async (_, asked, expected) => {
    expect(await found(scratch(files), asked)).toEqual(expected);
  });

  test("servers#896 follow ignore files of a repository from its top, not into another repository", async () => {
    const rules = "/pkg/out/\n*.log\n!keep.log\ntmp\n# *.ts\n";
    const place = scratch({
      ".gitignore": rules,
      "pkg/out/a": HAY,
      "pkg/src/out/b": HAY,
      "pkg/src/c.log": HAY,
      "pkg/src/keep.log": HAY,
      "pkg/src/tmp/d": HAY,
      "pkg/src/e.ts": HAY,
      "pkg/inner/.git/HEAD": "",
      "pkg/inner/f.log": HAY,
    });
    expect(await found(place, { below: "pkg/src" })).toEqual(["pkg/src/e.ts:2", "pkg/src/keep.log:2", "pkg/src/out/b:2"]);
    expect(await found(place, { below: "pkg/inner" })).toEqual(["pkg/inner/f.log:2"]);
  });
});

describe("matches", () => {
  test.each<[string, string, SearchRequest, object[]]>([
    ["the line and its column", "a needle\n", {}, [{ line: 1, column: 3, text: "a needle", before: [], after: [] }]],
    ["one a line", "needle needle\n", {}, [{ line: 1, column: 1 }]],
    ["a literal text", "a.b\naxb\n", { pattern: "a.b", literal: true }, [{ line: 1 }]],
    ["literal and without regard to case", "A.B\n", { pattern: "a.b", literal: true, caseSensitive: false }, [{ line: 1 }]],
    ["a pattern that begins with a dash", "x --files y\n", { pattern: "--files" }, [{ line: 1, column: 3 }]],
    ["ends of lines", "x\r\ny x\r\n", { pattern: "^x$" }, [{ line: 1, text: "x" }]],
    ["columns in characters", "äöü needle\n", {}, [{ column: 5, text: "äöü needle" }]],
    ["a byte order mark is not text", "\ufeffneedle\n", {}, [{ column: 1, text: "needle" }]],
    ["words of other scripts", "дом ДОМ\n", { pattern: "дом$", caseSensitive: false }, [{ column: 1 + 4 }]],
    ["lines around it", "1\n2\nneedle\n4\n5\n", { contextLines: 2 }, [{ line: 3, before: ["1", "2"], after: ["4", "5"] }]],
    [
      "neighbours are each other's context",
      "1\nneedle a\nneedle b\n4\n",
      { contextLines: 1 },
      [
        { line: 2, before: ["1"], after: ["needle b"] },
        { line: 3, before: ["needle a"], after: ["4"] },
      ],
    ],
    [
      "long lines around the hit",
      `${"x".repeat(5000)}needle${"y".repeat(5000)}\n`,
      {},
      [{ column: 5001, text: `…${"x".repeat(100)}needle${"y".repeat(194)}…` }],
    ],
    ["long lines from their beginning", `needle${"y".repeat(5000)}\n`, {}, [{ text: `needle${"y".repeat(294)}…` }]],
  ])("servers#335 of %s", async (_, content, asked, expected) => {
    const { matches } = await search(scratch({ f: content }), asked);
    expect(matches).toEqual(expected.map((match) => expect.objectContaining(match)));
  });

  test("are found in text of other encodings", async () => {
    const place = scratch();
    writeFileSync(place.at("utf16"), Buffer.from("\ufeffgrün needle\r\n", "utf16le"));
    writeFileSync(place.at("latin1"), Buffer.from("grün needle\n", "latin1"));
    const { matches } = await search(place);
    expect(matches.map(({ text, column }) => [text, column])).toEqual([
      ["grün needle", 6],
      ["grün needle", 6],
    ]);
  });

  test("cost a few hundred characters in a line of many megabytes", async () => {
    const place = scratch({ long: `first\n${"needle ".repeat(300_000)}\nneedle\n` });
    const { matches } = await search(place);
    expect(matches.map(({ line, text }) => [line, text.length])).toEqual([
      [2, 299],
      [3, 6],
    ]);
  });

  test("are listed as files and counts on request", async () => {
    const place = scratch({ a: "needle\nneedle needle\n", b: "hay\n", "c/d": HAY });
    const counts = [
      { path: place.at("a"), count: 2 },
      { path: place.at("c/d"), count: 1 },
    ];
    expect(await search(place, { outputMode: "count" })).toMatchObject({ files: counts, filesMatched: 2, matches: [], truncated: false });
    const files = await search(place, { outputMode: "files" });
    expect(files.files.map(({ path }) => path)).toEqual(counts.map(({ path }) => path));
  });
});

test("servers#335 take a line each in the text, with shared context once and a mark for gaps", async () => {
  const place = scratch({ "a\nb": "1\nneedle\n3\nneedle\n5\n6\n7\n8\nneedle\n", c: "needle\n" });
  const a = `${place.root}/a\\nb`;
  expect(contentsText(await search(place, { contextLines: 1 }))).toBe(
    [
      "4 matching lines in 2 files:",
      `${a}-1- 1`,
      `${a}:2: needle`,
      `${a}-3- 3`,
      `${a}:4: needle`,
      `${a}-5- 5`,
      "--",
      `${a}-8- 8`,
      `${a}:9: needle`,
      `${place.at("c")}:1: needle`,
    ].join("\n"),
  );
  expect(contentsText(await search(place, { outputMode: "count" }), "count")).toBe(
    `4 matching lines in 2 files:\n${a}: 3\n${place.at("c")}: 1`,
  );
  expect(contentsText(await search(place, { pattern: "nowhere" }))).toBe("No matches found in 2 text files");
});

test("names the file of a search in one file once, above its lines", async () => {
  const place = scratch({ f: `1\nneedle\n3\n4\n5\nneedle ${"x".repeat(400)}\n` });
  const sandbox = await place.sandbox();
  const textOf = async (path: string, options: object = {}) => {
    const result = await searchContents(sandbox, "f", { pattern: "needle", ...options });
    return contentsText({ ...result, matches: result.matches.map((match) => ({ ...match, path })) });
  };
  expect((await textOf("f")).replace(/x+/, "")).toBe("2 matching lines in f:\n2: needle\n6 (column 1): needle …");
  expect(await textOf("f", { pattern: "^4", contextLines: 1 })).toBe("1 matching line in f:\n3- 3\n4: 4\n5- 5");
  expect(await textOf("f", { pattern: "^4" })).toBe("f:4: 4");
  expect(await textOf(place.at("f"), { pattern: "^[34]" })).toBe(
    `2 matching lines in 1 file:\n${place.at("f")}:3: 3\n${place.at("f")}:4: 4`,
  );
});

test("gives no total of a page that is not the only one", async () => {
  const place = scratch({ f: "needle\n".repeat(4) });
  const sandbox = await place.sandbox();
  const first = await searchContents(sandbox, place.root, { pattern: "needle", limit: 2 });
  expect(contentsText(first)).toMatch(/^\(1 file matches; there is more: pass the cursor \S+ to go on\)\n\S+:1: needle\n/);
  const last = await searchContents(sandbox, place.root, { pattern: "needle", limit: 2, cursor: first.nextCursor });
  expect(contentsText(last)).toBe(`${place.at("f")}:3: needle\n${place.at("f")}:4: needle`);
});

test("stops its progress timer", async () => {
  const place = scratch({ "a.ts": HAY });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    await search(place, { progress: () => undefined });
    await expect(search(place, { pattern: "(", progress: () => undefined })).rejects.toThrow("regex parse error");
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test("removes its listeners", async () => {
  const place = scratch({ "a.ts": HAY });
  const { signal } = new AbortController();
  const listeners = (): number[] => [process.listenerCount("exit"), getEventListeners(signal, "abort").length];
  const before = listeners();
  await search(place, { signal });
  await expect(search(place, { pattern: "(", signal })).rejects.toThrow("regex parse error");
  expect(listeners()).toEqual(before);
});
