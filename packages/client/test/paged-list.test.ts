import { describe, expect, test } from "vitest";
import type { Json } from "@oarlock/server-kit/protocol";
import { InvalidResponseError } from "@oarlock/client";
import { pagedList } from "../src/paged-list.ts";

/** A list served in these pages; keeps the cursors that it is asked with. */
function pages(...served: Json[]): { ask(params: Json): Promise<Json>; cursors: unknown[] } {
  const cursors: unknown[] = [];
  return { cursors, ask: async ({ cursor }) => (cursors.push(cursor), served[cursors.length - 1] ?? {}) };
}
const items = (...names: string[]): { name: string }[] => names.map((name) => ({ name }));

describe("walking a list", () => {
  test("PAGE-05 PAGE-07 PAGE-08: odd cursors go back as they came, pages are of any size, the last has no cursor", async () => {
    const odd = ["", " ", "42", '{"a":1}', "ü\n\u2028", "x".repeat(5000)];
    const served = odd.map((nextCursor, at) => ({ things: items(...Array.from({ length: at % 3 }, (_, i) => `${at}.${i}`)), nextCursor }));
    const { ask, cursors } = pages(...served, { things: items("last") });
    expect(await pagedList<{ name: string }>("things", ask).all()).toEqual(items("1.0", "2.0", "2.1", "4.0", "5.0", "5.1", "last"));
    expect(cursors).toEqual([undefined, ...odd]);
  });

  test("PAGE-08: one page without a cursor is all", async () => {
    const { ask, cursors } = pages({ things: items("a") });
    expect(await pagedList("things", ask).all()).toEqual(items("a"));
    expect(cursors).toHaveLength(1);
  });

  test("PAGE-06: each walk begins anew", async () => {
    const { ask, cursors } = pages(
      { things: items("a"), nextCursor: "1" },
      { things: items("a"), nextCursor: "2" },
      { things: items("b") },
    );
    const list = pagedList<{ name: string }>("things", ask);
    for await (const { name } of list) if (name === "a") break;
    expect(await list.all()).toEqual(items("a", "b"));
    expect(cursors).toEqual([undefined, undefined, "2"]);
  });

  test("a page is asked for only when the one before was used up", async () => {
    const { ask, cursors } = pages({ things: items("a", "b"), nextCursor: "1" });
    for await (const _ of pagedList("things", ask)) break;
    expect(cursors).toEqual([undefined]);
  });

  test("one page by its cursor", async () => {
    const { ask, cursors } = pages({ things: items("c"), nextCursor: "n" });
    expect(await pagedList("things", ask).page("here")).toEqual({ items: items("c"), nextCursor: "n" });
    expect(cursors).toEqual(["here"]);
  });

  test.each([{}, { things: "none" }, { things: ["a"] }])("an answer %j is no list", async (answer) => {
    await expect(pagedList("things", pages(answer).ask).all()).rejects.toThrow(InvalidResponseError);
  });

  test("a list that leads in a circle, and one that never ends, come to an end", async () => {
    const same = async (): Promise<Json> => ({ things: [], nextCursor: "same" });
    await expect(pagedList("things", same).all()).rejects.toThrow("the next cursor leads to the same page");
    let count = 0;
    const endless = async (): Promise<Json> => ({ things: [], nextCursor: String(++count) });
    await expect(pagedList("things", endless).all()).rejects.toThrow("expected at most 10000 pages");
  });
});
