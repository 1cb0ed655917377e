import * as fc from "fast-check";
import { expect, test } from "vitest";
import { jsonStringBytes, takeWithin, truncateToBytes } from "../src/index.ts";

const texts = fc.string({ unit: fc.constantFrom("a", " ", '"', "\\", "\n", "\u0001", "é", "文", "😀", "\ud800"), maxLength: 400 });

test("counts the bytes of a JSON string", () => {
  fc.assert(fc.property(texts, (text) => jsonStringBytes(text) === Buffer.byteLength(JSON.stringify(text))));
});

test("truncates within the budget and keeps what fits", () => {
  fc.assert(
    fc.property(texts, fc.nat(500), fc.constantFrom("start", "end"), (text, maxBytes, keep) => {
      const cut = truncateToBytes(text, maxBytes, keep);
      expect(keep === "start" ? text.startsWith(cut) : text.endsWith(cut)).toBe(true);
      expect(jsonStringBytes(cut) - 2).toBeLessThanOrEqual(maxBytes);
      if (jsonStringBytes(text) - 2 <= maxBytes) expect(cut).toBe(text);
    }),
  );
});

test("ends at a line break if whole lines are most of the text", () => {
  expect(truncateToBytes("one line\ntwo lines\nthree", 22)).toBe("one line\ntwo lines");
  expect(truncateToBytes("one line\ntwo lines\nthree", 18, "end")).toBe("two lines\nthree");
});

test("keeps surrogate pairs together", () => {
  for (const keep of ["start", "end"] as const) {
    for (let bytes = 0; bytes < 30; bytes += 1) expect(truncateToBytes("😀😀😀😀😀", bytes, keep).isWellFormed()).toBe(true);
  }
});

test("measures large texts in few steps", () => {
  const text = "é".repeat(2_000_000);
  expect(Buffer.byteLength(truncateToBytes(text, 1_000_000))).toBe(1_000_000);
});

test("adds items until the budget is used", () => {
  expect(takeWithin([3, 3, 3], 6, (item) => item)).toEqual([3, 3]);
  expect(takeWithin([3, 9, 1], 6, (item) => item)).toEqual([3]);
  expect(takeWithin([], 6, (item) => item)).toEqual([]);
});
