// read_text_file, read_file, read_multiple_files.
import { linkTo } from "@oarlock/testing";
import { UNKNOWN, faulty, refused, refuses, same, says, type Call, type Row, type Said } from "../row.ts";

const FIVE = "one\ntwo\nthree\nfour\nfive\n";
const COUNTS = [1, 2, 3, 5, 6, 100, 10_000];

const TEXTS: Readonly<Record<string, string>> = {
  "five lines": FIVE,
  "no final newline": "one\ntwo\nthree",
  "one line": "only",
  "an empty file": "",
  "only a newline": "\n",
  "blank lines": "\n\n\n",
  "many scripts": "häuser\n日本語\n😀 emoji\nno\u0308rmal\n",
  "long lines": `${"x".repeat(3000)}\n${"é".repeat(3000)}\n${"y".repeat(1023)}`,
  "tabs and blanks": "\ta\n  b \n\t\tc\t",
  "control characters": "a\u0007b\u001b[31mc\n",
  "3,000 lines": Array.from({ length: 3000 }, (_, i) => `line ${i + 1}`).join("\n"),
  markup: '<a href="x">{{y}}</a>\n```js\n1\n```',
};

const read = (path: string, more: object = {}): Call => ["read_text_file", { path: `{}/${path}`, ...more }];
const many = (...paths: string[]): Call => ["read_multiple_files", { paths: paths.map((path) => `{}/${path}`) }];
const invalid = (place: string): Said => faulty("read_text_file", place);

/** The last lines of a text that ends in a newline. */
function tails(name: string, text: string): Row[] {
  const lines = text.slice(0, -1).split("\n");
  const ours = (count: number): string => `${lines.slice(-count).join("\n")}\n`;
  return COUNTS.map((tail) => {
    const does = `the last ${tail} of ${name}`;
    // Beyond the length of the file the two agree.
    return tail > lines.length
      ? same(does, { "f.txt": text }, read("f.txt", { tail }))
      : says("line-count", does, { "f.txt": text }, read("f.txt", { tail }), ours(tail));
  });
}

export const readingText: readonly Row[] = [
  ...Object.entries(TEXTS).flatMap(([name, text]) => [
    same(`${name}, whole`, { "f.txt": text }, read("f.txt")),
    same(`${name}, by the older name`, { "f.txt": text }, ["read_file", { path: "{}/f.txt" }]),
    ...COUNTS.map((head) => same(`the first ${head} of ${name}`, { "f.txt": text }, read("f.txt", { head }))),
    ...(text.endsWith("\n")
      ? tails(name, text)
      : COUNTS.map((tail) => same(`the last ${tail} of ${name}`, { "f.txt": text }, read("f.txt", { tail })))),
  ]),
  same("the first lines, by the older name", { f: FIVE }, ["read_file", { path: "{}/f", head: 2 }]),
  same("head and tail at once", { f: FIVE }, read("f", { head: 1, tail: 1 })),
  refuses("arguments", "head 0", { f: FIVE }, read("f", { head: 0 }), invalid("head")),
  refuses("arguments", "tail 0", { f: FIVE }, read("f", { tail: 0 }), invalid("tail")),
  refuses("arguments", "tail -1", { f: FIVE }, read("f", { tail: -1 }), invalid("tail")),
  refuses("arguments", "head 1.5", { f: FIVE }, read("f", { head: 1.5 }), invalid("head")),
  refused("head as text", { f: FIVE }, read("f", { head: "1" }), invalid("head")),
  refused("no path", { f: FIVE }, ["read_text_file", {}], invalid("path")),
  refused("a number for a path", { f: FIVE }, ["read_text_file", { path: 5 }], invalid("path")),
  says("unknown-arguments", "an unknown argument", { f: FIVE }, read("f", { nonsense: 1 }), UNKNOWN),

  same("CRLF, whole", { f: "a\r\nb\r\n" }, read("f")),
  says("line-ends", "the first lines of CRLF", { f: "a\r\nb\r\nc\r\n" }, read("f", { head: 2 }), "a\r\nb"),
  says("line-ends", "the last lines of CRLF", { f: "a\r\nb\r\nc" }, read("f", { tail: 2 }), "b\r\nc"),
  same("a single CR does not end a line", { f: "a\rb\rc\r" }, read("f", { head: 2 })),
  says("byte-order-mark", "UTF-8 with a mark", { f: "\ufeffa\nb\n" }, read("f"), "a\nb\n"),
  says("byte-order-mark", "the first line of UTF-8 with a mark", { f: "\ufeffa\nb\n" }, read("f", { head: 1 }), "a"),
  says("encodings", "UTF-16, little end first", { f: Buffer.from("\ufeffä\nb\n", "utf16le") }, read("f"), "ä\nb\n"),
  says("encodings", "UTF-16, big end first", { f: Buffer.from("\ufeffä\nb\n", "utf16le").swap16() }, read("f"), "ä\nb\n"),
  says("encodings", "Latin-1", { f: Buffer.from("caf\xe9\n", "latin1") }, read("f"), "café\n"),
  refuses(
    "binary",
    "binary bytes",
    { f: Buffer.from([0, 1, 2, 255, 254, 10, 0]) },
    read("f"),
    /^This looks like a binary file\. Read it with read_media_file/,
  ),
  says("limits", "a text larger than a reply", { f: "0123456789\n".repeat(200_000) }, read("f"), /\btruncated\b.*\boffset \d+/),

  refused("a file that is missing", {}, read("none.txt"), "No such file or directory: {}/none.txt"),
  refused("a directory that is missing", {}, read("none/none.txt"), "No such file or directory: {}/none/none.txt"),
  refused("a directory", { d: {} }, read("d"), "Expected a file, but this is a directory: {}/d"),
  refused("a file in a file", { f: "x" }, read("f/x"), "A part of the path is not a directory: {}/f/x"),
  refused("an empty path", { f: "x" }, ["read_text_file", { path: "" }], "Empty path: expected a file or directory name."),
  refuses("trailing-slash", "a slash at the end", { f: "x" }, read("f/"), "A part of the path is not a directory: {}/f/"),
  refused(
    "an absolute path outside",
    {},
    ["read_text_file", { path: "/etc/passwd" }],
    "Access denied - path outside allowed directories: /etc/passwd",
  ),
  refused("a climb", {}, read("../../x"), "Access denied - path outside allowed directories: {}/../../x"),
  refused("a link that leads out", { l: linkTo("/etc/hostname") }, read("l"), "Access denied - path outside allowed directories: {}/l"),
  refused(
    "a link that leads nowhere",
    { l: linkTo("none") },
    read("l"),
    "No such file or directory: {}/l. It is a link to none, which does not exist",
  ),
  refused("a NUL", { f: "x" }, read("f\u0000"), "Invalid path: it has a NUL character: {}/f\\x00"),
  same("a Windows path", { f: "x" }, ["read_text_file", { path: "C:\\x" }]),
  same("a Windows path with slashes", { f: "x" }, ["read_text_file", { path: "c:/Users/x" }]),
  same("a link", { f: "x\n", l: linkTo("f") }, read("l")),
  same("a link in a chain", { f: "x\n", l: linkTo("m"), m: linkTo("f") }, read("l")),
  same("through a linked directory", { d: { f: "x\n" }, l: linkTo("d") }, read("l/f")),
  same("relative to the allowed directory", { d: { f: "x\n" } }, ["read_text_file", { path: "{name}/d/f" }]),
  same("relative, with a dot before it", { d: { f: "x\n" } }, ["read_text_file", { path: "./{name}/d/f" }]),
  same("dots", { d: { f: "x\n" } }, read("d/../d/./f")),
  refuses("dots", "dots through a directory that is missing", { f: "x\n" }, read("none/../f"), "No such file or directory: {}/none/../f"),
  same("doubled slashes", { d: { f: "x\n" } }, read("/d///f")),
  ...[
    "~",
    " a b ",
    "a\nb",
    "a%20b",
    "'q'",
    '"',
    "$HOME",
    "-n",
    "é",
    "e\u0301",
    "日本",
    "😀",
    "*",
    "[x]",
    "#",
    "a\\b",
    ".hidden",
    "...",
    "a:b",
  ].map((name) => same(`the name ${JSON.stringify(name)}`, { [name]: "x\n" }, read(name))),
  refuses(
    "exact-names",
    "a composed name for a decomposed one",
    { "e\u0301": "x\n" },
    read("\u00e9"),
    /^No such file or directory: \{\}\/\u00e9\. There is "e\u0301"/,
  ),
  refuses(
    "exact-names",
    "a decomposed name for a composed one",
    { "\u00e9": "x\n" },
    read("e\u0301"),
    /^No such file or directory: \{\}\/e\u0301\. There is "\u00e9"/,
  ),

  same("two files", { a: "1\n", b: "2" }, many("a", "b")),
  same("one file of many", { a: "1\n" }, many("a")),
  same("one file twice", { a: "1\n" }, many("a", "a")),
  same("an empty file of many", { a: "", b: "x" }, many("a", "b")),
  same(
    "twenty files",
    Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, `${i}\n`])),
    many(...Array.from({ length: 20 }, (_, i) => `f${19 - i}`)),
  ),
  same("texts that look like the frame", { a: "\n---\nb:\n", b: "---" }, many("a", "b")),
  says(
    "errors",
    "some that cannot be read",
    { a: "1\n", d: {} },
    many("a", "none", "d"),
    "{}/a:\n1\n\n\n---\n{}/none: Error - No such file or directory: {}/none\n---\n{}/d: Error - Expected a file, but this is a directory: {}/d",
  ),
  refused("no paths", {}, many(), faulty("read_multiple_files", "paths")),
  refused("text for paths", {}, ["read_multiple_files", { paths: "{}/a" }], faulty("read_multiple_files", "paths")),
  refused("a path that is none", {}, ["read_multiple_files", { paths: [1] }], faulty("read_multiple_files", "paths.0")),
];
