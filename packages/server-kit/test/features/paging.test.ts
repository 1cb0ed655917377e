// Pages and cursors.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { pageOf } from "../../src/features/paging.ts";

const page = (all: readonly string[], cursor: unknown, size: number, kind = "things") => pageOf(kind, all, (item) => item, cursor, size);
const names = fc.uniqueArray(fc.string({ unit: "grapheme" }), { maxLength: 40 });

/** All pages one after the other; the list is changed after each of them. */
function walk(
  all: readonly string[],
  size: number,
  change: (list: readonly string[], page: number) => readonly string[] = (list) => list,
): string[] {
  const found: string[] = [];
  let list = all;
  let cursor: string | undefined;
  for (let count = 0; count < 100; count++) {
    const { items, nextCursor } = page(list, cursor, size);
    found.push(...items);
    if (nextCursor === undefined) return found;
    expect(items).toHaveLength(size);
    cursor = nextCursor;
    list = change(list, count);
  }
  throw new Error("no end");
}

test("PAGE-02 returns the whole list over its pages, without a cursor on the last", () => {
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 10 }), (all, size) => {
      expect(walk(all, size)).toEqual(all);
    }),
  );
});

test("KIT-10 skips and repeats nothing after additions at the end and removals of earlier entries", () => {
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 5 }), fc.array(fc.nat(), { maxLength: 5 }), (all, size, removals) => {
      const change = (list: readonly string[], count: number): string[] => {
        const seen = Math.min((count + 1) * size, all.length) - 1; // all but the one that the cursor names
        const gone = removals[count];
        const rest = gone === undefined || seen < 1 ? [...list] : list.filter((name) => name !== all[gone % seen]);
        return count < 5 ? [...rest, `${count} new`] : rest;
      };
      const found = walk(all, size, change);
      expect(found.filter((name) => !name.endsWith(" new"))).toEqual(all.filter((name) => !name.endsWith(" new")));
      expect(new Set(found).size).toBe(found.length);
    }),
  );
});

test("PAGE-04 KIT-10 refuses anything but a cursor of this list", () => {
  const all = ["a", "b", "c", "d"];
  const { nextCursor = "" } = page(all, undefined, 2);
  const foreign = page(all, undefined, 2, "others").nextCursor;
  for (const cursor of ["", "b", "2", 2, [nextCursor], {}, `${nextCursor} `, `${nextCursor}=`, nextCursor.slice(1), foreign]) {
    expect.soft(() => page(all, cursor, 2), String(cursor)).toThrow(expect.objectContaining({ code: -32602 }));
  }
  fc.assert(
    fc.property(fc.string(), (cursor) => {
      fc.pre(cursor !== nextCursor);
      expect(() => page(["a", "b", "c"], cursor, 2)).toThrow("Invalid cursor");
    }),
  );
});

test("hides names in a cursor", () => {
  expect(page(["secret-name", "b"], undefined, 1).nextCursor).not.toContain("secret-name");
});
