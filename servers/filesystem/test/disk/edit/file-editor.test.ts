import { readFileSync, readdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTwoFilesPatch } from "diff";
import { array, assert, asyncProperty, constantFrom, tuple } from "fast-check";
import { expect, test } from "vitest";
import { editText } from "../../../src/disk/edit/file-editor.ts";
import type { Edit } from "../../../src/disk/edit/replacements.ts";
import { fenced } from "../../../src/disk/edit/diff/diff-block.ts";
import { editor, one } from "../support/editor.ts";
import { refusal, refuses, world } from "../support/world.ts";

test("prevents a name from adding lines to the diff", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "a\n+++ b\u202e"), "one");
  const sandbox = await open();
  const diffOf = async (path: string) =>
    (await editText(sandbox, path, [{ oldText: "one", newText: "two" }], { dryRun: true })).diff.split("\n");
  const name = "a\\n+++ b\\u202e";
  expect((await diffOf("a\n+++ b\u202e")).slice(0, 3)).toEqual([`--- ${name}`, `+++ ${name}`, "@@ -1,1 +1,1 @@"]);
  const real = `${root}/${name}`;
  expect((await diffOf(join(root, "a\n+++ b\u202e"))).slice(2, 5)).toEqual([
    `--- ${real}\toriginal`,
    `+++ ${real}\tmodified`,
    "@@ -1,1 +1,1 @@",
  ]);
});

test("replaces the match of an edit and shows the usual diff", async () => {
  const { edit, text, path } = await editor("one\ntwo\nthree\n");
  const result = await edit(one("two\n", "2\n2b\n"));
  expect(text()).toBe("one\n2\n2b\nthree\n");
  expect(result).toMatchObject({ applied: true, replacements: 1, firstChangedLine: 2, path });
  const patch = createTwoFilesPatch(path, path, "one\ntwo\nthree\n", text(), "original", "modified");
  expect(result.diff).toBe(`--- f\n+++ f\n${patch.slice(patch.indexOf("@@"))}`);
  expect(fenced(result.diff)).toBe(`\`\`\`diff\n${result.diff}\`\`\`\n\n`);
  expect(fenced("a ```` b\n")).toMatch(/^`````diff\n/);
});

test("shows the same diff in a dry run and changes nothing", async () => {
  const { edit, text } = await editor("one\ntwo\n");
  const dry = await edit(one("two", "2"), { dryRun: true });
  expect(text()).toBe("one\ntwo\n");
  expect(dry.applied).toBe(false);
  const real = await edit(one("two", "2"), { expectedEtag: dry.etag });
  expect(real.diff).toBe(dry.diff);
  expect(real.etag).not.toBe(dry.etag);
});

test("keeps CRLF, also for new lines, however the edit is written", async () => {
  for (const [oldText, newText] of [
    ["two\nthree", "2\nx\n3"],
    ["two\r\nthree", "2\r\nx\r\n3"],
  ] as const) {
    const { edit, text } = await editor("one\r\ntwo\r\nthree\r\nfour");
    const { diff } = await edit(one(oldText, newText));
    expect(text()).toBe("one\r\n2\r\nx\r\n3\r\nfour");
    expect(diff).not.toContain("\r");
  }
  const { edit, text } = await editor("one\r\ntwo");
  await edit(one("two", "2\n3"));
  expect(text()).toBe("one\r\n2\r\n3");
});

test("keeps every line's own ending in a file of mixed line ends", async () => {
  const { edit, text } = await editor("a\r\nb\nc\r\nd\ne\r\n");
  await edit(one("a\nb\nc\nd\ne\n", "a\nb\nNEW\nc\ne\n"));
  expect(text()).toBe("a\r\nb\nNEW\nc\r\ne\r\n");
  await edit(one("NEW\n", ""));
  expect(text()).toBe("a\r\nb\nc\r\ne\r\n");
  await edit(one("c", "c1\nc2"));
  expect(text()).toBe("a\r\nb\nc1\r\nc2\r\ne\r\n");
});

test.each([
  ["utf-8 with a mark", (text: string) => Buffer.from(`\ufeff${text}`)],
  ["utf-16le", (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")],
  ["utf-16be", (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
  ["latin1", (text: string) => Buffer.from(text, "latin1")],
])("keeps %s byte for byte", async (_, bytesOf) => {
  const { edit, bytes } = await editor(bytesOf("é ä\r\ntwo ü\nß\r\n"));
  await edit(one("two ü", "2 ö"));
  expect(bytes()).toEqual(bytesOf("é ä\r\n2 ö\nß\r\n"));
});

test("refuses an edit that would damage other lines", async () => {
  const latin = await editor(Buffer.from("caf\xe9\nplain\n", "latin1"));
  await refuses(
    "invalid",
    () => latin.edit(one("plain", "中")),
    () => latin.edit(one("plain", "é"), { encoding: "shift_jis" }),
  );
  expect(latin.bytes()).toEqual(Buffer.from("caf\xe9\nplain\n", "latin1"));
  const odd = await editor(Buffer.concat([Buffer.from("\ufeffab", "utf16le"), Buffer.from([65])]));
  await refuses("invalid", () => odd.edit(one("a", "b")));
  const binary = await editor(Buffer.from([0x89, 0, 0xff, 65]));
  await refuses("invalid", () => binary.edit(one("A", "B")));
  const text = await editor("plain");
  await refuses("invalid", () => text.edit(one("plain", "\udc00")));
});

test("requires one match of an edit, unless the edit states another count", async () => {
  const { edit, text } = await editor("x=1\ny=2\nx=1\n");
  const error = await refusal(() => edit(one("x=1", "x=3")));
  expect(error.message).toMatch(/not unique: it occurs 2 times, at lines 1, 3/);
  await refuses(
    "conflict",
    () => edit(one("x=1", "x=3", { expectedCount: 3 })),
    () => edit(one("y=2", "", { expectedCount: 2 })),
  );
  await refuses(
    "invalid",
    () => edit(one("", "x")),
    () => edit([]),
    () => edit(one("x=1", "", { expectedCount: 0 })),
  );
  expect(text()).toBe("x=1\ny=2\nx=1\n");
  expect((await edit(one("x=1", "x=3", { replaceAll: true }))).replacements).toBe(2);
  expect((await edit(one("x=3", "x=4", { expectedCount: 2 }))).replacements).toBe(2);
  expect(text()).toBe("x=4\ny=2\nx=4\n");
  const overlap = await editor("aaa");
  await refuses("conflict", () => overlap.edit(one("aa", "b")));
});

test("applies all edits or none, each to the result of the one before", async () => {
  const { edit, text } = await editor("one\ntwo\nthree\n");
  const error = await refusal(() => edit([...one("one", "1"), ...one("missing text", "x")]));
  expect(error.message).toMatch(/^Could not find exact match for edit 2 of 2\.\nNothing in the file/);
  expect(text()).toBe("one\ntwo\nthree\n");
  await edit([...one("one", "1"), ...one("1\ntwo", "1\n2"), ...one("three", "3")]);
  expect(text()).toBe("1\n2\n3\n");
});

test("reads replacement texts literally", async () => {
  const { edit, text } = await editor("price: X\n");
  await edit(one("X", "$& $1 $$ $` \\n"));
  expect(text()).toBe("price: $& $1 $$ $` \\n\n");
});

test("shows the nearest lines and the first difference for an edit without match", async () => {
  const { edit } = await editor("function a() {\n  return alpha(1);\n}\n\nfunction b() {\n  return beta(2);\n}\n");
  const { message } = await refusal(() => edit(one("function b() {\n  return beta(3);\n}", "x")));
  expect(message).toContain("line 6, column 15");
  expect(message).toContain('oldText has "  return beta(3);", the file has "  return beta(2);"');
  expect((await refusal(() => edit(one("return betta(2)", "x")))).message).toContain("line 6");
  expect((await refusal(() => edit(one("zzzzqqqq", "x")))).message).toContain("Nothing in the file resembles it");
});

test.each<[string, string, string, string, string]>([
  [
    "spaces, deeper",
    "if x:\n    if y:\n        a()\n        b()\n",
    "a()\nb()",
    "a()\nif z:\n    c()",
    "if x:\n    if y:\n        a()\n        if z:\n            c()\n",
  ],
  [
    "tabs in the file, spaces in the edit",
    "def f():\n\tif x:\n\t\ta()\n\t\tb()\n",
    "        a()\n        b()",
    "        if z:\n            a()",
    "def f():\n\tif x:\n\t\tif z:\n\t\t\ta()\n",
  ],
  [
    "tabs in the file, no indentation in the edit",
    "\tif x:\n\t\ta()\n",
    "if x:\n    a()",
    "if x:\n    a()\n    b()",
    "\tif x:\n\t\ta()\n\t\tb()\n",
  ],
  [
    "two in the edit, four in the file",
    "class A:\n    def f():\n        a()\n",
    "  def f():\n    a()",
    "  def f():\n    a()\n    b()",
    "class A:\n    def f():\n        a()\n        b()\n",
  ],
  [
    "spaces in the file, tabs in the edit",
    "{\n  a: {\n    b: 1\n  }\n}\n",
    "\ta: {\n\t\tb: 1\n\t}",
    "\ta: {\n\t\tb: 1,\n\t\tc: 2\n\t}",
    "{\n  a: {\n    b: 1,\n    c: 2\n  }\n}\n",
  ],
  [
    "tabs and blanks together",
    "\t * a\n\t * b\n\t */\n",
    "   * a\n   * b\n   */",
    "   * a\n   * B\n   * c\n   */",
    "\t * a\n\t * B\n\t * c\n\t */\n",
  ],
  ["blanks at line ends only", "a  \nb\t\nc\n", "a\nb", "a\nB", "a  \nB\nc\n"],
  ["whole lines with their newline", "x\n    a\n    b\ny\n", "a\nb\n", "c\n", "x\n    c\ny\n"],
  ["whole lines removed", "x\n    a\n    b\ny\n", "a\nb\n", "", "x\ny\n"],
])("matches flexibly: %s", async (_, content, oldText, newText, expected) => {
  const { edit, text } = await editor(content);
  await refuses("not-found", () => edit(one(oldText, newText), { matching: "exact" }));
  await edit(one(oldText, newText));
  expect(text()).toBe(expected);
});

test("keeps the blanks at the ends of unchanged lines between two changes", async () => {
  const { edit, text } = await editor("Head\none  \ntwo  \nthree\\\nlast\n");
  await edit(one("Head\none\ntwo\nthree\\\nlast", "HEAD\none\nnew\ntwo\nthree\\\nLAST"));
  expect(text()).toBe("HEAD\none  \nnew\ntwo  \nthree\\\nLAST\n");
  await edit(one(" HEAD\n one  \n new", " HEAD\n one\n new"));
  expect(text()).toBe("HEAD\none\nnew\ntwo  \nthree\\\nLAST\n");
});

test("keeps CRLF and repeated lines in flexible matching", async () => {
  const { edit, text } = await editor("x\r\n\t\ta();  \r\n\t\tb();\r\n\t\tc();\r\n");
  await edit(one("  a();\n  b();\n  c();", "  a();\n  B();\n  c();"), { matching: "flexible" });
  expect(text()).toBe("x\r\n\t\ta();  \r\n\t\tB();\r\n\t\tc();\r\n");
});

test("refuses an ambiguous flexible match", async () => {
  const two = await editor("  a()\n    a()\n");
  expect((await refusal(() => two.edit(one("a() ", "b()")))).message).toMatch(/more than once, at lines 1, 2/);
  const uneven = await editor("if x:\n    a()\n  b()\n");
  expect((await refusal(() => uneven.edit(one("a()\n    b()", "c()")))).message).toMatch(/not all by the same indentation/);
  const mixed = await editor("\t  a()\n");
  await refuses("conflict", () => mixed.edit(one("    a() ", "    b()\n  c()")));
  const blank = await editor("a\n\n\nb\n");
  await refuses("not-found", () => blank.edit(one("  \n ", "x")));
});

test("accepts one flexible match only, and refuses when more are expected", async () => {
  const { edit, text } = await editor("  a()\n");
  const several = { expectedCount: 2 };
  expect((await refusal(() => edit(one("    a()", "b()", several)))).message).toMatch(/occurs once, not 2 times: at line 1/);
  expect(text()).toBe("  a()\n");
  await edit(one("    a()", "    b()", { expectedCount: 1 }));
  expect(text()).toBe("  b()\n");
});

test("finds each position by flexible matching in repetitive text", async () => {
  const twice = await editor("  a\n  a\n  b\n  a\n  a\n  a\n  b\n");
  expect((await refusal(() => twice.edit(one("a \na\nb", "c")))).message).toMatch(/more than once, at lines 1, 5/);
  const overlapping = await editor("  a\n  b\n  a\n  b\n  a\n");
  expect((await refusal(() => overlapping.edit(one("a \nb\na", "c")))).message).toMatch(/more than once, at lines 1, 3/);
});

test("edits the file behind a link, and nothing else in the folder", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "f"), "one");
  symlinkSync("f", join(root, "l"));
  const sandbox = await open();
  await editText(sandbox, "l", one("one", "two"));
  expect(readFileSync(join(root, "f"), "utf8")).toBe("two");
  expect(readdirSync(root).toSorted()).toEqual(["f", "l"]);
});

test.each<[string, string, Edit[], RegExp]>([
  ["equal texts", "one\n", one("one", "one"), /^No change by edit: oldText and newText are the same\. The file is unchanged\.$/],
  ["equal texts that are not there", "one\n", one("two", "two"), /oldText and newText are the same/],
  ["another line ending", "a\r\nb\r\n", one("\r\n", "\n", { replaceAll: true }), /differ in line endings only.*Pass lineEnding/],
  ["another line ending in a text", "a\nb\n", one("a\nb\n", "a\r\nb\r\n"), /differ in line endings only/],
  ["the indentation that is there", "x\n    a\n", one("  a ", "  a"), /^No change by edit: line 2 has the text of newText already/],
  ["the second of two edits", "a\nb\n", [...one("a", "A"), ...one("b", "b")], /^No change by edit 2 of 2: /],
  ["two edits that cancel each other", "a\nb\n", [...one("a", "A"), ...one("A", "a")], /^No change by edits: together/],
])("refuses an edit without an effect: %s", async (_, content, edits, reason) => {
  const { edit, bytes, path } = await editor(content);
  const before = statSync(path).ino;
  for (const dryRun of [true, false]) expect((await refusal(() => edit(edits, { dryRun }))).message).toMatch(reason);
  expect(bytes().toString()).toBe(content);
  expect(statSync(path).ino).toBe(before);
});

test("PATH-40 refuses a huge file by its size", async () => {
  const { edit, path } = await editor("");
  truncateSync(path, 10 * 1024 ** 3);
  await refuses(
    "too-large",
    () => edit(one("a", "b")),
    () => edit(one("a", "b"), { dryRun: true }),
  );
  truncateSync(path, 0);
});

test("keeps every other byte in random edits, and shows the diff of the whole file", async () => {
  const { root, open } = world();
  const sandbox = await open();
  const line = constantFrom("a", "b", "c", "  x", "", "}", "é\u{1f600}");
  const end = constantFrom("\n", "\r\n");
  await assert(
    asyncProperty(
      array(tuple(line, end), { maxLength: 60 }),
      array(tuple(line, end), { maxLength: 60 }),
      array(line, { maxLength: 5 }),
      async (before, after, next) => {
        const joined = (lines: [string, string][]) => lines.map((parts) => parts.join("")).join("");
        const [head, tail] = [joined(before), joined(after)];
        const content = `${head}UNIQUE\nMARK\r\n${tail}`;
        writeFileSync(join(root, "f"), content);
        const path = join(root, "f");
        const { diff } = await editText(sandbox, path, one("UNIQUE\nMARK", next.join("\n")));
        const edited = readFileSync(join(root, "f"), "utf8");
        expect(edited.startsWith(head)).toBe(true);
        expect(edited.endsWith(`\r\n${tail}`)).toBe(true);
        expect(edited.slice(head.length, edited.length - tail.length - 2).replaceAll("\r\n", "\n")).toBe(next.join("\n"));
        const lf = (text: string) => text.replaceAll("\r\n", "\n");
        expect(diff).toBe(createTwoFilesPatch(path, path, lf(content), lf(edited), "original", "modified"));
      },
    ),
    { numRuns: process.env["OARLOCK_LONG"] === "1" ? 2000 : 40 },
  );
});

test("shows a large file with every line changed as old and new lines, without pairing", async () => {
  const lines = Array.from({ length: 60_000 }, (_, at) => `${at} y`);
  const { edit } = await editor(`${lines.join("\n")}\n`);
  const { diff } = await edit(one("y\n", "z\n", { replaceAll: true }));
  const shownLines = diff.split("\n").slice(2, -1);
  expect(shownLines[0]).toBe("@@ -1,60000 +1,60000 @@");
  expect(shownLines.slice(1)).toEqual([...lines.map((line) => `-${line}`), ...lines.map((line) => `+${line.replace("y", "z")}`)]);
});

test("puts context lines around a diff without pairing, so that git apply accepts it", async () => {
  const lines = Array.from({ length: 30_000 }, (_, at) => (at < 20 || at >= 29_980 ? `${at} as it was` : `${at} y`));
  const { edit } = await editor(lines.join("\n"));
  const { diff } = await edit(one("y\n", "z\n", { replaceAll: true }));
  const shownLines = diff.split("\n").slice(2, -1);
  const kept = (from: number, to: number) => lines.slice(from, to).map((line) => ` ${line}`);
  expect(shownLines[0]).toBe("@@ -17,29968 +17,29968 @@");
  expect(shownLines.slice(1, 6)).toEqual([...kept(16, 20), "-20 y"]);
  expect(shownLines.slice(-5)).toEqual(["+29979 z", ...kept(29_980, 29_984)]);
});
