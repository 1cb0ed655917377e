import { expect, test } from "vitest";
import { cutText } from "../../../src/disk/text/text-cut.ts";
import { wireBytes } from "../../../src/disk/text/reply-size.ts";

const HEAVY = "\u0001";

test.each([
  ["light", "x".repeat(100_000)],
  ["heavy", HEAVY.repeat(100_000)],
  ["wide", "\u{1f600}".repeat(50_000)],
  ["heavy at its end", `${"x".repeat(50_000)}${HEAVY.repeat(50_000)}`],
  ["in lines", `${HEAVY.repeat(99)}\n`.repeat(1000)],
])("a text that is %s is cut to nearly what it may weigh, at either side", (_, text) => {
  for (const most of [10, 1000, 60_001, 99_999]) {
    for (const fromEnd of [false, true]) {
      const cut = cutText(text, most, fromEnd);
      expect(fromEnd ? text.endsWith(cut) : text.startsWith(cut)).toBe(true);
      expect(cut.isWellFormed()).toBe(true);
      expect(wireBytes(cut) - 2).toBeLessThanOrEqual(most);
      expect(wireBytes(cut) - 2).toBeGreaterThan(most - 700);
    }
  }
  expect(cutText(text, 6 * text.length, false)).toBe(text);
  expect(cutText(text, 6 * text.length, true)).toBe(text);
});

test("whole lines are kept where they are at least half of what has room", () => {
  expect(cutText("aaaa\nbbbb\ncccc", 13, false)).toBe("aaaa\nbbbb");
  expect(cutText("aaaa\nbbbb\ncccc", 13, true)).toBe("bbbb\ncccc");
  expect(cutText("a\nbbbbbbbbbbbb", 10, false)).toBe("a\nbbbbbbb");
  expect(cutText("aaaaaaaaaaaa\nb", 10, true)).toBe("aaaaaaa\nb");
  expect(cutText("abc", 0, false)).toBe("");
});
