// What is said of a text that was not found.
import { expect, test } from "vitest";
import { withoutLineNumbers } from "../../../src/disk/edit/pasted-line-numbers.ts";
import { fold, foldMapped } from "../../../src/disk/edit/text-folding.ts";
import { describeNearest } from "../../../src/disk/edit/nearest-text.ts";

const nearest = (text: string, old: string): string => describeNearest(text, old).join("\n");

test.each([
  ["a blank that does not break", "total 5 kg\n", "total 5\u00a0kg", String.raw`oldText has "total 5\u00a0kg", the file has "total 5 kg"`],
  ["a blank without width", "a long\u200b line\n", "a long line", String.raw`oldText has "a long line", the file has "a long\u200b line"`],
  ["an accent of its own", "un cafe\u0301 noir", "un caf\u00e9 noir", String.raw`"un caf\u00e9 noir", the file has "un cafe\u0301 noir"`],
  ["what can be seen", "日本は…\n", "日本が…", `oldText has "日本が…", the file has "日本は…"`],
])("describes an invisible difference: %s", (_, file, old, replyText) => {
  expect(nearest(file, old)).toContain(replyText);
});

test.each([
  ["quotes", `x\nsay("it's");\n`, "say(“it’s”);", "line 2, column 5", "quotes"],
  ["dashes", "a\nsee pages 3-4 -- later\n", "see pages 3–4 — later", "line 2, column 12", "dashes"],
  ["blanks", "one\ntwo words here\n", "two\u00a0words here", "line 2, column 4", "blanks"],
  ["escapes", `a\nconst s = "b";\n`, String.raw`const s = \"b\";`, "line 2, column 11", "escapes"],
  ["entities", "a\nif (a && b < c)\n", "if (a &amp;&amp; b &lt; c)", "line 2, column 8", "escapes"],
  ["accents", "a\nun cafe\u0301 noir\n", "un caf\u00e9 noir", "line 2, column 7", "accents"],
  ["capitals", "a\nconst userName = 1;\n", "const username = 1;", "line 2, column 11", "capitals"],
])("names the only kind of difference: %s", (_, file, old, place, kind) => {
  const text = nearest(file, old);
  expect(text).toContain(`- ${place}: oldText has`);
  expect(text).toContain(`It differs from the file in ${kind} only.`);
});

test("finds a text inside a line by its column", () => {
  const line = `  const result = compute(alpha, beta) + other(${"x".repeat(200)});`;
  const text = nearest(`a\n${line}\nb\n`, "compute(alpha, betta)");
  expect(text).toMatch(/- line 2, column 36: oldText has "compute\(alpha, betta\)", the file has ".*beta\)/);
  const json = `{"items":[${Array.from({ length: 2000 }, (_, id) => `{"id":${id},"name":"item ${id}"}`).join(",")}]}`;
  expect(nearest(json, `{"id":1500,"nmae":"item 1500"}`)).toContain(`- line 1, column ${json.indexOf(`{"id":1500,`) + 14}: `);
});

test("finds a text that begins and ends inside lines", () => {
  const file = "call(one, function () {\n  first();\n  second();\n}, last);\n";
  expect(nearest(file, "function () {\n  first();\n  third();\n}")).toContain("- line 3, column 3: ");
});

test("names a line of context that has changed", () => {
  const file = "function f() {\n  // explains a\n  a();\n  b();\n}\n";
  const text = nearest(file, "function f() {\n  // said of a\n  a();\n  b();\n}");
  expect(text).toContain("- line 2, column 6: ");
  expect(text).toContain("Only this line differs; the other 4 are the same.");
});

test("names the missing newline at the end of the file", () => {
  expect(nearest("a\nthe end", "the end\n")).toContain("- line 2: oldText ends with a newline, and the file ends here without one");
});

test("names a line that oldText leaves out, at the line itself", () => {
  expect(nearest("x\nalpha();\n\nbeta();\ngamma();\n", "alpha();\nbeta();\ngamma();")).toContain("- line 3, column 1: ");
});

test.each([
  ["a numbered read", (line: string, at: number) => `${String(at).padStart(6)}\t${line}`],
  ["colons", (line: string, at: number) => `${at}: ${line}`],
  ["bars", (line: string, at: number) => `${at}| ${line}`],
  ["arrows", (line: string, at: number) => `${at}→${line}`],
])("recognizes pasted line numbers, which decide between equal places: %s", (_, number) => {
  const block = ["if (x) {", "  go();", "}"];
  const file = [...block, ...block, ...block].join("\n");
  const text = nearest(file, block.map((line, at) => number(line, 4 + at)).join("\n"));
  expect(text).toMatch(/^Its lines begin with line numbers.*: leave them out of oldText and newText\. Changed so, it is at line 4\./);
  expect(text).toContain("Nearly as like: lines 1, 7.");
});

test("keeps the indentation behind pasted line numbers", () => {
  expect(withoutLineNumbers("7: a\n8:   b\n9:\n10: c")).toEqual({ text: "a\n  b\n\nc", firstLine: 7 });
  expect(withoutLineNumbers("7:a\n8:  b")).toEqual({ text: "a\n  b", firstLine: 7 });
  for (const text of ["a\n2: b", "2: a\n2: b", "1. one\n2. two", "plain", ""]) expect(withoutLineNumbers(text)).toBeUndefined();
});

test("takes numbers that do not rise, or that the file has, for text", () => {
  expect(nearest("1: one\n2: two\n", "1: one\n2: twoo")).toContain("- line 2, column 7: ");
  expect(nearest("one\ntwo\n", "2: two\n1: one")).not.toContain("line numbers");
});

test("names line breaks that are escaped twice", () => {
  expect(nearest("x\na();\nb();\n", String.raw`a();\nb();`)).toBe(
    "Its line breaks are escaped twice: send them as line breaks. Changed so, it is at line 2.",
  );
});

test("prefers the place whose differing line is most alike, and lists or counts the others", () => {
  const block = (name: string): string => `test("${name}", () => {\n  setUp();\n  run();\n});\n`;
  const names = ["reads a file", "writes a file", "moves a file", "reads a folder", "copies a file", "lists", "deletes", "finds", "waits"];
  const text = nearest(names.map(block).join(""), block("writes the file"));
  expect(text).toContain("- line 5, column 14: ");
  const equal = "same();\nother();\n\n\n\n\n".repeat(9);
  expect(nearest(equal, "same();\nothr();")).toMatch(
    /line 2, column 4: [^]*\nNearly as like: lines 7, 13, 19, 25, 31 and 3 more places\.$/,
  );
});

test("says that nothing resembles a text, or that a file is too large to look", () => {
  expect(nearest("one\ntwo\n", "zzzzqqqq")).toBe("Nothing in the file resembles it. Read the file again.");
  expect(nearest("x\n".repeat(2_100_000), "zzzz")).toMatch(
    /^The file is too large to look for text that resembles it\. Use search_file_contents\./,
  );
});

test("keeps the indentation of lines behind numbers with a tab", () => {
  expect(nearest("a\n  x();\n  y();\n", "     2\t  x();\n     3\t  y();")).toMatch(/Changed so, it is at line 2\.$/);
});

test("counts columns from 1 on an empty first line", () => {
  expect(nearest("\nalpha();\nbeta();\ngamma();\n", "x\nalpha();\nbeta();\ngamma();")).toContain("- line 1, column 1: ");
});

test.each([
  "a-b -- c",
  "  x\t- -y",
  "ÄÖ “q” — é\u0301",
  "ΣΑΣ",
  "한\u1112\u1161\u11ab",
  `z${"\u0301\u0316".repeat(50)}`,
  String.raw`a\n&amp;b`,
])("folds a text as it folds its characters: %j", (text) => {
  const { text: mapped, indexes } = foldMapped(text);
  expect(fold(text)).toBe(mapped);
  expect(indexes).toHaveLength(mapped.length);
  expect(foldMapped(`${text}\u0101`).text).toBe(`${mapped}\u0101`);
});
