// search_file_contents: how many files are searched and match, and the pages of a long result.
import { linkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { searchContents } from "../../../../src/disk/search/contents/content-search.ts";
import { contentsText } from "../../../../src/disk/search/contents/result-text.ts";
import { scratch } from "../../support/scratch.ts";
import { refuses } from "../../support/world.ts";
import { HAY, search, type SearchRequest } from "./search.ts";

describe("counts the searched and matching files", () => {
  const files = {
    a: HAY,
    b: "hay\n",
    empty: "",
    "sub/c": HAY,
    "sub/d": "hay\n",
    ".hidden": HAY,
    binary: Buffer.from(`a\0\xff\n${HAY}`, "latin1"),
    "other-binary": "a\0b\n",
    "denied.pem": HAY,
    "denied-too.pem": "hay\n",
    link: { link: "a" },
    ignored: HAY,
    ".gitignore": "ignored\n",
  };

  test.each<[string, SearchRequest, [searched: number, matched: number]]>([
    ["what is left out counts in neither number", {}, [5, 2]],
    ["nothing matches", { pattern: "nowhere" }, [5, 0]],
    ["hidden ones on request", { includeHidden: true }, [7, 3]],
    ["ignored ones on request", { respectGitignore: false }, [6, 3]],
    ["of the globs", { include: ["/*"], exclude: ["a"] }, [2, 0]],
    ["of a file", { below: "a" }, [1, 1]],
    ["of a file without a match", { below: "b" }, [1, 0]],
    ["of a binary file", { below: "binary" }, [0, 0]],
    ["of no file", { include: ["*.none"] }, [0, 0]],
    ["across lines", { multiline: true, pattern: "needle\nhay" }, [5, 2]],
    ["the whole search, whatever the page", { limit: 1 }, [5, 2]],
    ["the whole search, whatever has room", { maxBytes: 1 }, [5, 2]],
  ])("for %s", async (_, { below = ".", pattern = "needle", ...asked }, [filesSearched, filesMatched]) => {
    const place = scratch(files);
    const sandbox = await place.sandbox({ deny: ["*.pem"] });
    for (const outputMode of ["content", "files", "count"] as const) {
      for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page++) {
        const result = await searchContents(sandbox, place.at(below), { pattern, ...asked, outputMode, cursor });
        expect(result).toMatchObject({ filesSearched, filesMatched });
        cursor = result.nextCursor;
      }
    }
  });

  test("leaves refused files with several names out of both counts, on every page", async () => {
    const place = scratch({ a: HAY, b: HAY, d: HAY });
    linkSync(place.at("b"), place.at("c"));
    const sandbox = await place.sandbox({ refuseHardLinks: true });
    const first = await searchContents(sandbox, place.root, { pattern: "needle", limit: 1 });
    const second = await searchContents(sandbox, place.root, { pattern: "needle", limit: 1, cursor: first.nextCursor });
    expect([first, second]).toMatchObject([1, 1].map(() => ({ filesSearched: 2, filesMatched: 2 })));
    expect(second.matches.map(({ path }) => path)).toEqual([place.at("d")]);
  });

  test("reports that no file was searched", async () => {
    const place = scratch({ a: HAY });
    expect(contentsText(await search(place, { include: ["*.none"] }))).toBe("No matches found in 0 text files\nLeft out: 1 by globs.");
  });
});

describe("pages of matches", () => {
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`d${at % 7}/f${at}`, at % 3 === 0 ? HAY.repeat(3) : HAY]));

  test.each<[string, SearchRequest]>([
    ["of matches", { limit: 30, contextLines: 1 }],
    ["of matches, more than files are held at a time", { limit: 100 }],
    ["of files", { limit: 40, outputMode: "files" }],
    ["of counts", { limit: 40, outputMode: "count" }],
    ["that are full by weight", { maxBytes: 12_000 }],
  ])("%s hold everything once and in order", async (_, asked) => {
    const place = scratch(many);
    const whole = await search(place, { ...asked, limit: 1000, maxBytes: undefined });
    const matches: unknown[] = [];
    const files: unknown[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await search(place, { ...asked, cursor });
      expect(page.truncated).toBe(page.nextCursor !== undefined);
      expect(page.filesMatched).toBe(150);
      matches.push(...page.matches);
      files.push(...page.files);
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    expect({ matches, files }).toEqual({ matches: whole.matches, files: whole.files });
    expect(pages).toBeGreaterThan(1);
    expect(new Set([...matches, ...files].map((item) => JSON.stringify(item))).size).toBe(matches.length + files.length);
  });

  test("refuse a forged cursor and one of another query", async () => {
    const place = scratch(many);
    const { nextCursor: cursor = "" } = await search(place, { limit: 5 });
    const forged = cursor.replace(/.$/, (last) => (last === "A" ? "Q" : "A"));
    await refuses(
      "invalid",
      () => search(place, { cursor: forged }),
      () => search(place, { cursor: "x" }),
      () => search(place, { cursor, pattern: "hay" }),
      () => search(place, { cursor, include: ["*"] }),
      () => search(place, { cursor, outputMode: "files" }),
      () => search(place, { cursor, below: "d1" }),
    );
    expect((await search(place, { cursor, limit: 5 })).matches).toHaveLength(5);
  });
});
