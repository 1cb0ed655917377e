import { describe, expect, test } from "vitest";
import { INVALID_PARAMS, McpError, type Json } from "@oarlock/server-kit/protocol";
import { InvalidResponseError } from "@oarlock/client";
import { pagedList } from "../src/paged-list.ts";

/** A list served in these pages; keeps the cursors that it is asked with. */
function pages(...served: Json[]): { request(params: Json): Promise<Json>; cursors: unknown[] } {
  const cursors: unknown[] = [];
  return { cursors, request: async ({ cursor }) => (cursors.push(cursor), served[cursors.length - 1] ?? {}) };
}
const items = (...names: string[]): { name: string }[] => names.map((name) => ({ name }));

describe("walking a list", () => {
  test("PAGE-05 PAGE-07 PAGE-08: returns odd cursors unchanged, accepts pages of any size, and ends without a cursor", async () => {
    const odd = ["", " ", "42", '{"a":1}', "ü\n\u2028", "x".repeat(5000)];
    const served = odd.map((nextCursor, at) => ({ entries: items(...Array.from({ length: at % 3 }, (_, i) => `${at}.${i}`)), nextCursor }));
    const { request, cursors } = pages(...served, { entries: items("last") });
    expect(await pagedList<{ name: string }>("entries", request).all()).toEqual(items("1.0", "2.0", "2.1", "4.0", "5.0", "5.1", "last"));
    expect(cursors).toEqual([undefined, ...odd]);
  });

  test.each([
    ["the only page", [{ entries: items("a"), nextCursor: "" }]],
    [
      "the last page",
      [
        { entries: items("a"), nextCursor: "2" },
        { entries: items("b"), nextCursor: "" },
      ],
    ],
    ["an empty list", [{ entries: [], nextCursor: "" }]],
  ])("PAGE-09: follows an empty cursor, and ends at %s of a server that means the end by it", async (_page, served) => {
    const all = served.flatMap(({ entries }) => entries);
    const isEnd = (cursor: unknown): boolean => cursor === undefined || cursor === "";
    const repeat = async ({ cursor }: Json): Promise<Json> => served[isEnd(cursor) ? 0 : 1] ?? {};
    expect(await pagedList("entries", repeat).all()).toEqual(all);
    const refuse = async (params: Json): Promise<Json> => {
      if (params.cursor === "") throw new McpError(INVALID_PARAMS, "Invalid cursor");
      return repeat(params);
    };
    expect(await pagedList("entries", refuse).all()).toEqual(all);
  });

  test("PAGE-08: ends after one page without a cursor", async () => {
    const { request, cursors } = pages({ entries: items("a") });
    expect(await pagedList("entries", request).all()).toEqual(items("a"));
    expect(cursors).toHaveLength(1);
  });

  test("PAGE-06: begins each iteration with the first page", async () => {
    const { request, cursors } = pages(
      { entries: items("a"), nextCursor: "1" },
      { entries: items("a"), nextCursor: "2" },
      { entries: items("b") },
    );
    const list = pagedList<{ name: string }>("entries", request);
    for await (const { name } of list) if (name === "a") break;
    expect(await list.all()).toEqual(items("a", "b"));
    expect(cursors).toEqual([undefined, undefined, "2"]);
  });

  test("requests a page after the previous one is used up", async () => {
    const { request, cursors } = pages({ entries: items("a", "b"), nextCursor: "1" });
    for await (const _ of pagedList("entries", request)) break;
    expect(cursors).toEqual([undefined]);
  });

  test("reads one page by its cursor", async () => {
    const { request, cursors } = pages({ entries: items("c"), nextCursor: "n" });
    expect(await pagedList("entries", request).page("here")).toEqual({ items: items("c"), nextCursor: "n" });
    expect(cursors).toEqual(["here"]);
  });

  test.each([{}, { entries: "none" }, { entries: ["a"] }])("refuses the answer %j", async (answer) => {
    await expect(pagedList("entries", pages(answer).request).all()).rejects.toThrow(InvalidResponseError);
  });

  test("stops at a circular list and at an endless one", async () => {
    const same = async (): Promise<Json> => ({ entries: [], nextCursor: "same" });
    await expect(pagedList("entries", same).all()).rejects.toThrow("the next cursor leads to the same page");
    let count = 0;
    const endless = async (): Promise<Json> => ({ entries: [], nextCursor: String(++count) });
    await expect(pagedList("entries", endless).all()).rejects.toThrow("expected at most 10000 pages");
  });
});
