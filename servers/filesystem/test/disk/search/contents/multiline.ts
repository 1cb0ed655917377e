// Tests of search_file_contents where matches may span lines: what a match is then, the same from every engine that is given.
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { SearchEngine } from "../../../../src/disk/search/contents/engine.ts";
import { MAX_MULTILINE_BYTES, type ContentsOptions } from "../../../../src/disk/search/contents/options.ts";
import { searchContents, type ContentsResult } from "../../../../src/disk/search/contents/content-search.ts";
import { contentsText } from "../../../../src/disk/search/contents/result-text.ts";
import { scratch, type Scratch } from "../../support/scratch.ts";
import { refusal } from "../../support/world.ts";

/** Registers the tests. */
export function testMultiline(engines: readonly SearchEngine[]): void {
  /** The same from every engine. */
  async function search(place: Scratch, options: ContentsOptions, below = "."): Promise<ContentsResult> {
    const sandbox = await place.sandbox();
    const [one, ...others] = await Promise.all(
      engines.map((engine) => searchContents(sandbox, place.at(below), { multiline: true, ...options }, engine)),
    );
    for (const other of others) expect(other).toEqual(one);
    return one!;
  }

  describe("a match across lines", () => {
    const CASES: [title: string, content: string, asked: Partial<ContentsOptions>, expected: object[]][] = [
      [
        "has the lines that it spans, and where it begins and ends",
        "a\nx foo\nbar y\nb\n",
        {},
        [{ line: 2, column: 3, endLine: 3, text: "x foo\nbar y" }],
      ],
      ["may be one line", "foo bar\n", { pattern: "foo" }, [{ line: 1, column: 1, endLine: 1, text: "foo bar" }]],
      [
        "is said once for a line on which several begin, to the end of the last",
        "foo foo\nbar\nfoo\n",
        { pattern: "foo(\nbar)?" },
        [
          { line: 1, column: 1, endLine: 2, text: "foo foo\nbar" },
          { line: 3, endLine: 3 },
        ],
      ],
      [
        "may begin where another one ends",
        "foo\nbar foo\nbar\n",
        {},
        [
          { line: 1, endLine: 2, text: "foo\nbar foo" },
          { line: 2, column: 5, endLine: 3, text: "bar foo\nbar" },
        ],
      ],
      [
        "may follow on another",
        "foo\nbar\nfoo\nbar\n",
        {},
        [
          { line: 1, endLine: 2 },
          { line: 3, endLine: 4 },
        ],
      ],
      [
        "does not have the line behind a newline that it ends in",
        "foo\nbar\n",
        { pattern: "foo\\n" },
        [{ line: 1, endLine: 1, text: "foo" }],
      ],
      ["is found in files with other line ends", "foo\r\nbar\r\n", { pattern: "foo\\s+bar" }, [{ line: 1, endLine: 2, text: "foo\nbar" }]],
      [
        "of a literal text has either line end",
        "x(\r\ny)\r\nx(\ny)\n",
        { pattern: "X(\nY)", literal: true, caseSensitive: false },
        [
          { line: 1, endLine: 2 },
          { line: 3, endLine: 4 },
        ],
      ],
      ["has its column in characters", "äöü foo\nbar\n", {}, [{ column: 5, text: "äöü foo\nbar" }]],
      ["has no byte order mark", "\ufefffoo\nbar\n", {}, [{ line: 1, column: 1, text: "foo\nbar" }]],
      ["has the lines around it", "1\n2\nfoo\nbar\n5\n6\n", { contextLines: 1 }, [{ line: 3, endLine: 4, before: ["2"], after: ["5"] }]],
      [
        "has the lines around it also where those are of other matches",
        "1\nfoo\nbar\nfoo\nbar\n6\n",
        { contextLines: 2 },
        [
          { line: 2, endLine: 3, before: ["1"], after: ["foo", "bar"] },
          { line: 4, endLine: 5, before: ["foo", "bar"], after: ["6"] },
        ],
      ],
      ["may be empty", "a\n\nb\n", { pattern: "^$" }, [{ line: 2, column: 1, endLine: 2, text: "" }]],
      ["is found up to an end without newline", "a\nfoo\nbar", { pattern: "foo\nbar$" }, [{ line: 2, endLine: 3, text: "foo\nbar" }]],
    ];
    const given = (content: string, asked: Partial<ContentsOptions>) =>
      ({ place: scratch({ f: content }), question: { pattern: "foo\nbar", ...asked } }) as const;

    test.each(CASES)("finds %s", async (_, content, asked, expected) => {
      const { place, question } = given(content, asked);
      const { matches } = await search(place, question);
      expect(matches).toEqual(expected.map((match) => expect.objectContaining(match)));
    });

    /** Where matches meet, and where they are empty. */
    const COUNTED = /^is said once|^may (?:begin|be empty)/;
    test.each(CASES.filter(([title]) => COUNTED.test(title)))(
      "counts, and names the file of, what %s",
      async (_, content, asked, expected) => {
        const { place, question } = given(content, asked);
        const { files } = await search(place, { ...question, outputMode: "count" });
        expect(files).toEqual([{ path: place.at("f"), count: expected.length }]);
        expect((await search(place, { ...question, outputMode: "files" })).files.map(({ path }) => path)).toEqual([place.at("f")]);
      },
    );

    test("finds text in other encodings", async () => {
      const place = scratch();
      writeFileSync(place.at("utf16"), Buffer.from("\ufeffgrün foo\r\nbär\r\n", "utf16le"));
      writeFileSync(place.at("latin1"), Buffer.from("grün foo\nbär\n", "latin1"));
      const { matches } = await search(place, { pattern: "foo\r?\nb" });
      expect(matches.map(({ line, column, endLine, text }) => [line, column, endLine, text])).toEqual([
        [1, 6, 2, "grün foo\nbär"],
        [1, 6, 2, "grün foo\nbär"],
      ]);
    });

    test.each([
      ["many lines", `begin\n${"line\n".repeat(100_000)}end\n`, 100_002, 20 * 5 + 2],
      ["long lines", `begin ${"x".repeat(1_000_000)}\n${"y".repeat(1_000_000)}\nend\n`, 3, 2 * 301 + 5],
      ["long lines that are not few", `begin\n${`${"😀".repeat(500)}\n`.repeat(50)}end\n`, 52, 1001],
    ])("cuts %s", async (_, content, endLine, length) => {
      const result = await search(scratch({ f: content }), { pattern: "begin(.|\n)*end" });
      expect(result.matches).toMatchObject([{ line: 1, endLine }]);
      const [{ text } = { text: "" }] = result.matches;
      expect(text.length).toBe(length);
      expect(text.isWellFormed()).toBe(true);
      expect(text).toContain("…");
      expect(contentsText(result).split("\n").length).toBeLessThanOrEqual(21);
    });
  });

  test("continues a page of thousands of adjacent matches after the last one", async () => {
    const place = scratch({ a: "foo\nbar\n".repeat(3000), b: "hay\nfoo\nbar\n" });
    const lines: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await search(place, { pattern: "foo\nbar", limit: 700, cursor });
      expect(page).toMatchObject({ filesSearched: 2, filesMatched: 2 });
      lines.push(...page.matches.map(({ path, line }) => `${path.slice(place.root.length + 1)}${line}`));
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    expect(pages).toBe(5);
    expect(lines).toEqual([...Array.from({ length: 3000 }, (_, at) => `a${2 * at + 1}`), "b2"]);
    expect((await search(place, { pattern: "foo\nbar", outputMode: "count" })).files.map(({ count }) => count)).toEqual([3000, 1]);
  });

  test("refuses a cursor of a search by lines", async () => {
    const place = scratch({ a: "foo\n".repeat(10) });
    const { nextCursor: cursor } = await search(place, { pattern: "foo", limit: 2, multiline: false });
    expect(cursor).toBeTypeOf("string");
    expect((await refusal(() => search(place, { pattern: "foo", limit: 2, cursor }))).message).toContain("does not belong to this call");
  });

  test("shows its first and last line, and the other lines below", async () => {
    const place = scratch({ a: "1\nfoo\nbar foo\nbar\n5\r6\n", "b\nc": "foo\n\rbar\n/etc/passwd:1: x\n" });
    expect(contentsText(await search(place, { pattern: "foo\\s+bar", contextLines: 1 }))).toBe(
      [
        "3 matching lines in 2 files:",
        `${place.at("a")}-1- 1`,
        `${place.at("a")}:2-3: foo`,
        "  bar foo",
        `${place.at("a")}:3-4: bar foo`,
        "  bar",
        `${place.at("a")}-5- 5\\r6`,
        "--",
        `${place.root}/b\\nc:1-2: foo`,
        "  \\rbar",
        `${place.root}/b\\nc-3- /etc/passwd:1: x`,
      ].join("\n"),
    );
  });

  test.each([String.raw`a\nb`, String.raw`a\r\nb`, String.raw`a\x0ab`, String.raw`[\n]`, "a\nb"])(
    "suggests in a search by lines for %j how to search across them",
    async (pattern) => {
      const place = scratch({ f: "a\nb\n" });
      const sandbox = await place.sandbox();
      for (const engine of engines) {
        const message = expect.stringMatching(/line break.*[Pp]ass multiline/);
        await expect(searchContents(sandbox, place.root, { pattern }, engine)).rejects.toMatchObject({ code: "invalid", message });
      }
    },
  );

  describe("bounds of a search across lines", () => {
    test("leaves out files that are too large, and refuses them when named", async () => {
      const foot = "foo\nbar\n";
      const place = scratch({
        fits: `${"x".repeat(MAX_MULTILINE_BYTES - foot.length)}${foot}`,
        large: `${"x".repeat(MAX_MULTILINE_BYTES)}${foot}`,
      });
      const result = await search(place, { pattern: "foo\nbar" });
      expect(result.matches.map(({ path }) => path)).toEqual([place.at("fits")]);
      expect(result).toMatchObject({ filesSearched: 1, filesMatched: 1 });
      const error = await refusal(() => search(place, { pattern: "foo" }, "large"));
      expect(error).toMatchObject({ code: "too-large", message: expect.stringContaining("at most 8 MiB") });
    });

    test("stops at the first page when every character matches", async () => {
      const place = scratch({ f: "x\n".repeat(500_000) });
      const result = await search(place, { pattern: "(?s).", limit: 10 });
      expect(result.matches.map(({ line, endLine }) => [line, endLine])).toEqual(Array.from({ length: 10 }, (_, at) => [at + 1, at + 1]));
      expect(result.truncated).toBe(true);
    });

    test("refuses a line break in a pattern of a search by lines, and names the switch", async () => {
      const error = await refusal(() => search(scratch({ f: "x" }), { pattern: "a\nb", multiline: false }));
      expect(error.message).toMatch(/line break.*[Pp]ass multiline/);
    });
  });
}
