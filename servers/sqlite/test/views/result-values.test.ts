// Values of the result view of the SQLite server: the kinds of columns, sorting, and texts with separators.
import { expect, test } from "vitest";
import { csvText, hasFormulas, tabbedText } from "../../views/result/delimited-text.ts";
import { kindOf, sortedBy } from "../../views/result/values.ts";

const column = (...values: unknown[]): unknown[][] => values.map((value) => [value]);

test("treats a column with one text after 1,000 numbers as texts, and sorts it", () => {
  const rows = column(...Array.from({ length: 1000 }, (_, at) => at), "9007199254740993", "1.5");
  expect(kindOf(rows, 0)).toBe("text");
  expect(sortedBy(rows, { at: 0, kind: kindOf(rows, 0), isDescending: true }).slice(0, 2)).toEqual(column("9007199254740993", "1.5"));
});

test("reads only integers past 2^53 as numbers in text form", () => {
  expect(kindOf(column("9007199254740993", 1), 0)).toBe("number");
  expect(kindOf(column("4111111111111111"), 0)).toBe("text");
  expect(csvText([{ name: "a" }], column("4111111111111111", "9007199254740993", 7, "7", "x"))).toBe(
    'a\r\n"4111111111111111"\r\n9007199254740993\r\n7\r\n"7"\r\nx\r\n',
  );
});

test("copies texts that begin like formulas with an apostrophe, and writes them unchanged to CSV", () => {
  const rows = [["=1+1", "+a", "-2.5", "@x", "\tx", -3, "a=b"]];
  const columns = ["=n", "b", "c", "d", "e", "f", "g"].map((name) => ({ name }));
  expect(tabbedText(columns, rows)).toBe(`'=n\tb\tc\td\te\tf\tg\r\n'=1+1\t'+a\t-2.5\t'@x\t"'\tx"\t-3\ta=b\r\n`);
  expect(csvText(columns, rows)).toContain("\r\n=1+1,+a,");
  expect(hasFormulas(columns, [])).toBe(true);
  expect(hasFormulas([{ name: "a" }], [["-2.5", -3, "a=b", null]])).toBe(false);
});
