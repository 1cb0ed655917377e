// edit_file.
import { linkTo, withMode } from "@oarlock/testing";
import { faulty, refused, refuses, same, says, type Call, type Row, type Said } from "../row.ts";

interface Edit {
  readonly oldText: string;
  readonly newText: string;
}
const to = (oldText: string, newText: string): Edit => ({ oldText, newText });
const edit = (edits: unknown, more: object = {}, path = "{}/f"): Call => ["edit_file", { path, edits, ...more }];
const read: Call = ["read_text_file", { path: "{}/f" }];

const THREE = "one\ntwo\nthree\n";
const TWENTY = Array.from({ length: 20 }, (_, i) => `l${i + 1}\n`).join("");
const CODE = "function f() {\n    a();\n    b();\n}\n";
const TABS = "class A:\n\tdef f(self):\n\t\tif x:\n\t\t\ty()\n";

const AGREED: readonly (readonly [text: string, ...edits: Edit[]])[] = [
  [THREE, to("two", "2")],
  [THREE, to("two\n", "")],
  [THREE, to("one\n", "")],
  [THREE, to("three\n", "")],
  [THREE, to(THREE, "")],
  [THREE, to(THREE, "all\n")],
  [THREE, to("two", "2\n2b\n2c")],
  [THREE, to("three\n", "3")],
  [THREE, to("one", "1"), to("three", "3")],
  [THREE, to("one", "1"), to("1", "one again")],
  [THREE, to("one\ntwo", "two\none")],
  [THREE, to("two\n", "two\ntwo\n")],
  ["one\ntwo\nthree", to("three", "3")],
  ["one\ntwo\nthree", to("three", "3\n")],
  ["häuser\n日本\n😀\n", to("日本", "Japan")],
  ["häuser\n日本\n😀\n", to("😀", "🎉")],
  ["a $& b\n", to("a $& b", "$& $1 $$ $`")],
  ["```\ncode\n```\n", to("code", "```` more")],
  ["tail\n", to("tail\n", "tail\nmore\n")],
  ["\thead\n", to("\thead", "\tbody\n\t\tdeeper")],
  ["x\n".repeat(10) + "y\n" + "x\n".repeat(10), to("y", "z")],
  [TWENTY, to("l2\n", "L2\n"), to("l18\n", "L18\n")],
  [TWENTY, to("l2\n", "L2\n"), to("l9\n", "L9\n")],
  [TWENTY, to("l2\n", "L2\n"), to("l8\n", "L8\n"), to("l15\n", "")],
  [TWENTY, to("l1\n", ""), to("l20\n", "")],
  ["a\n\n\nb\n", to("a\n\n\nb", "a\nb")],
  ["{\n}\n", to("{\n}", "{\n  x\n}")],
  // Without regard to blanks, where the official server's way comes out right.
  ["function f() {\n    return 1;\n}\n", to("return 1;", "return 2;")],
  ["function f() {\n    return 1;\n}\n", to("  return 1;", "  return 2;")],
  ["function f() {\n    return 1;\n}\n", to("        return 1;", "        return 2;")],
  [CODE, to("  a();\n  b();", "  c();\n  d();")],
  ["a\nb\n", to("a \nb ", "c\nd")],
];

const invalid = (place: string): Said => faulty("edit_file", place);

export const editing: readonly Row[] = [
  ...AGREED.flatMap(([text, ...edits], at) => [
    same(`edit ${at}: ${JSON.stringify(edits[0]?.oldText).slice(0, 40)}`, { f: text }, edit(edits), read),
    same(`edit ${at}: ${JSON.stringify(edits[0]?.oldText).slice(0, 40)}, dry`, { f: text }, edit(edits, { dryRun: true }), read),
  ]),
  ...["a b", "é", "日本", "'q'", '"', "#x", "[x]", "-n", "a\\b"].map((name) =>
    same(`a file named ${JSON.stringify(name)}`, { [name]: "a\n" }, edit([to("a", "b")], {}, `{}/${name}`)),
  ),
  ...[0o600, 0o644, 0o755, 0o400, 0o777].map((mode) =>
    same(`a file of mode ${mode.toString(8)}`, { f: withMode(mode, "a\n") }, edit([to("a", "b")])),
  ),
  says(
    "one-line-names",
    "a file with a tab in its name",
    { "a\tb": "a\n" },
    edit([to("a", "b")], {}, "{}/a\tb"),
    /\n--- \{\}\/a\\tb\toriginal\n/,
  ),
  same("through a link", { g: "a\n", f: linkTo("g") }, edit([to("a", "b")])),
  says(
    "relative-paths",
    "by a relative path",
    { f: "a\n" },
    edit([to("a", "b")], {}, "{name}/f"),
    /^```diff\n--- (row\d+\/f)\n\+\+\+ \1\n@@ -1,1 \+1,1 @@\n-a\n\+b\n```\n/,
    { f: "b\n" },
  ),
  same("twice", { f: THREE }, edit([to("one", "1")]), edit([to("1", "one")]), read),

  refused(
    "text that is not there",
    { f: THREE },
    edit([to("none", "3")]),
    'Could not find exact match for edit.\nThe nearest text, and the first difference there:\n- line 1, column 1: oldText has "none", the file has "one"',
  ),
  refused(
    "text that is not there, in the second of two",
    { f: THREE },
    edit([to("one", "1"), to("xyz", "3")]),
    "Could not find exact match for edit 2 of 2.\nNothing in the file resembles it. Read the file again.",
  ),
  refused(
    "an empty file",
    { f: "" },
    edit([to("a", "b")]),
    "Could not find exact match for edit.\nNothing in the file resembles it. Read the file again.",
  ),
  refused("a file that is missing", {}, edit([to("a", "b")]), "No such file or directory: {}/f"),
  refused("a directory", { f: {} }, edit([to("a", "b")]), "Expected a file, but this is a directory: {}/f"),
  refused(
    "a link that leads out",
    { f: linkTo("/etc/hostname") },
    edit([to("a", "b")]),
    "Access denied - path outside allowed directories: {}/f",
  ),
  refused("without edits", { f: "a" }, ["edit_file", { path: "{}/f" }], "No edits: expected at least one, or lineEnding."),
  refused("half an edit", { f: "a" }, edit([{ oldText: "a" }]), invalid("edits.0.newText")),
  refused("text for edits", { f: "a" }, edit("a"), invalid("edits")),
  refused("text for dryRun", { f: "a" }, edit([to("a", "b")], { dryRun: "yes" }), invalid("dryRun")),
  refuses("arguments", "an empty list of edits", { f: "a" }, edit([]), "No edits: expected at least one, or lineEnding.", {
    f: "a",
  }),
  refuses("no-effect", "equal texts", { f: THREE }, edit([to("one", "one")]), /^No change by edit: /, { f: THREE }),
  refuses("no-effect", "another line end", { f: "a\r\n" }, edit([to("\r\n", "\n")]), /^No change by edit: .*lineEnding/, { f: "a\r\n" }),
  refuses("empty-text", "an empty oldText", { f: "one\n" }, edit([to("", "b")]), /^oldText of edit is empty;/, { f: "one\n" }),
  refuses("empty-text", "an empty oldText in an empty file", { f: "" }, edit([to("", "b")]), /^oldText of edit is empty;/, { f: "" }),
  refuses(
    "unique-edits",
    "text that is there twice",
    { f: "x=1\ny=2\nx=1\n" },
    edit([to("x=1", "x=3")]),
    "oldText of edit is not unique: it occurs 2 times, at lines 1, 3. Add lines around it, or set replaceAll or expectedCount.",
    { f: "x=1\ny=2\nx=1\n" },
  ),
  refuses(
    "unique-edits",
    "text that overlaps itself",
    { f: "a\na\na\n" },
    edit([to("a\na", "b\nb")]),
    /^oldText of edit is not unique: it occurs 2 times, at lines 1, 2\./,
    { f: "a\na\na\n" },
  ),
  refuses(
    "binary",
    "a binary file",
    { f: Buffer.from([0, 97, 0, 98, 255]) },
    edit([to("a", "b")]),
    "Binary files cannot be edited as text: {}/f",
    { f: "\0a\0b\xff" },
  ),
  refuses(
    "git",
    "git's configuration",
    { ".git": { config: "a" } },
    edit([to("a", "b")], {}, "{}/.git/config"),
    /^Writing to a \.git directory is refused/,
    { ".git/config": "a" },
  ),

  ...(
    [
      ["a\r\nb\r\nc\r\n", to("b", "B"), "a\r\nB\r\nc\r\n"],
      ["a\r\nb\r\nc\r\n", to("a\nb", "A\nB"), "A\r\nB\r\nc\r\n"],
      ["a\r\nb\r\nc\r\n", to("a\r\nb", "A\r\nB"), "A\r\nB\r\nc\r\n"],
      ["a\r\nb\r\nc\r\n", to("b", "b\nb2"), "a\r\nb\r\nb2\r\nc\r\n"],
      ["a\nb\r\nc\n", to("c", "C"), "a\nb\r\nC\n"],
    ] as const
  ).map(([text, change, after]) =>
    says("line-ends", `${JSON.stringify(change)} in ${JSON.stringify(text)}`, { f: text }, [edit([change]), read], after, { f: after }),
  ),
  says("byte-order-mark", "a file with a mark", { f: "\ufeffa\nb\n" }, [edit([to("a", "A")]), read], "A\nb\n", { f: "\xef\xbb\xbfA\nb\n" }),
  says("encodings", "Latin-1", { f: Buffer.from("caf\xe9\nx\n", "latin1") }, [edit([to("x", "y")]), read], "café\ny\n", {
    f: "caf\xe9\ny\n",
  }),
  says("encodings", "UTF-16", { f: Buffer.from("\ufeffa\nb\n", "utf16le") }, [edit([to("a", "A")]), read], "A\nb\n", {
    f: "\xff\xfeA\0\n\0b\0\n\0",
  }),
  ...(
    [
      [CODE, to("a();\nb();", "c();\nd();"), "function f() {\n    c();\n    d();\n}\n"],
      [CODE, to("function f() {\n  a();\n  b();\n}", "function g() {\n  a();\n  c();\n}"), "function g() {\n    a();\n    c();\n}\n"],
      ["\tif x:\n\t\ty()\n", to("if x:\n    y()", "if x:\n    z()"), "\tif x:\n\t\tz()\n"],
      [
        TABS,
        to("def f(self):\n    if x:\n        y()", "def f(self):\n    if z:\n        y()\n        w()"),
        "class A:\n\tdef f(self):\n\t\tif z:\n\t\t\ty()\n\t\t\tw()\n",
      ],
      ["  a  \n  b\n", to("a\nb", "c\nd"), "  c\n  d\n"],
    ] as const
  ).map(([text, change, after]) =>
    says("indentation", `${JSON.stringify(change.oldText)} in ${JSON.stringify(text)}`, { f: text }, [edit([change]), read], after, {
      f: after,
    }),
  ),
];
