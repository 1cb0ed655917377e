// replace_in_files: dry run, one question, one undo, and what each file keeps.
import { readFileSync, writeFileSync } from "node:fs";
import {
  accept,
  connectTo,
  decline,
  everyRevision,
  scriptUser,
  tempFolder,
  type ScriptedReply,
  type TempFolder,
  type Tree,
} from "@oarlock/testing";
import type { Json } from "@oarlock/server-kit/protocol";
import { describe, expect, test } from "vitest";
import { text } from "../../support/served-folder.ts";
import { targetOf, type Setup } from "../../support/target.ts";

const PROJECT: Tree = {
  "a.ts": "const color = color1;\ncolor();\n",
  src: { "b.ts": "import { color } from 'x';\r\ncolor;\r\n", "c.md": "color\n" },
  "utf16.ts": Buffer.from("\ufeffcolor\n", "utf16le"),
  "latin1.ts": Buffer.from("caf\u00e9 color\n", "latin1"),
  "broken.ts": Buffer.concat([Buffer.from("gr\u00fcn color "), Buffer.from([0xff]), Buffer.from(" \u00e4\n")]),
  "bin.ts": Buffer.from("color\0color"),
  ".hidden.ts": "color\n",
};

async function served(
  folder: TempFolder,
  lines: readonly ScriptedReply[] | undefined,
  setup: Partial<Setup> = {},
  revision = "2025-11-25",
) {
  const person = lines === undefined ? undefined : scriptUser(lines, ["form"]);
  const target = await targetOf({
    directories: [folder.at("root")],
    stateHome: folder.at("state"),
    toolsets: ["default", "bulk"],
    ...setup,
  });
  const wired = await connectTo(target, { ...person?.handlers, revision });
  const replace = (args: Json) => wired.client.call("replace_in_files", { path: folder.at("root"), ...args });
  return { person, wired, replace, [Symbol.asyncDispose]: () => wired[Symbol.asyncDispose]() };
}

/** Without the trash beside it. */
const rootOf = (folder: TempFolder) => Object.fromEntries(Object.entries(folder.tree()).filter(([name]) => name.startsWith("root")));

const COLOR = { pattern: "color", replaceWith: "colour", wholeWord: true, glob: "*.ts" };
const EXPECTED = { "a.ts": 2, "broken.ts": 1, "latin1.ts": 1, "src/b.ts": 2, "utf16.ts": 1 };

everyRevision("lists files and counts in a dry run, and changes nothing", async (revision) => {
  await using folder = tempFolder({ root: PROJECT, state: {} });
  await using at = await served(folder, undefined, {}, revision);
  const before = folder.tree();
  const result = await at.replace({ ...COLOR, dryRun: true });
  expect(text(result).split("\n")).toEqual([
    "Would replace 7 matches in 5 files:",
    ...Object.entries(EXPECTED).map(([name, count]) => `${folder.at("root", name)}: ${count}`),
    "1 more file has it: hidden or ignored (see includeHidden, respectGitignore).",
  ]);
  if (revision >= "2025-06-18")
    expect(result.structuredContent).toMatchObject({ applied: false, replacements: 7, files: [{ replacements: 2 }, {}, {}, {}, {}] });
  expect(folder.tree()).toEqual(before);
});

test("replaces whole words after one question, keeps encodings and line endings, and takes all back at once", async () => {
  await using folder = tempFolder({ root: PROJECT, state: {} });
  await using at = await served(folder, [accept({ confirm: true })]);
  const before = rootOf(folder);
  const result = await at.replace(COLOR);
  expect(text(result)).toMatch(/^Replaced 7 matches in 5 files:\n/);
  expect(at.person!.requests).toMatchObject([
    { message: expect.stringMatching(/^Replace 7 matches in 5 files below .*\? The server keeps/) },
  ]);
  at.person!.done();
  expect(folder.read("root/a.ts")).toBe("const colour = color1;\ncolour();\n");
  expect(folder.read("root/src/b.ts")).toBe("import { colour } from 'x';\r\ncolour;\r\n");
  expect(readFileSync(folder.at("root/utf16.ts"))).toEqual(Buffer.from("\ufeffcolour\n", "utf16le"));
  expect(readFileSync(folder.at("root/latin1.ts"))).toEqual(Buffer.from("caf\u00e9 colour\n", "latin1"));
  expect(readFileSync(folder.at("root/broken.ts"))).toEqual(
    Buffer.concat([Buffer.from("gr\u00fcn colour "), Buffer.from([0xff]), Buffer.from(" \u00e4\n")]),
  );
  const [, id = ""] = /call undo_change with the id (\w+)\./.exec(text(result)) ?? [];
  const undone = await at.wired.client.call("undo_change", { id });
  expect(text(undone)).toMatch(/^Successfully brought back 5 files/);
  expect(rootOf(folder)).toEqual(before);
  const [, redo = ""] = /call undo_change with the id (\w+)\./.exec(text(undone)) ?? [];
  expect(text(await at.wired.client.call("undo_change", { id: redo }))).toMatch(/^Successfully brought back 5 files/);
  expect(folder.read("root/a.ts")).toBe("const colour = color1;\ncolour();\n");
  expect(text(await at.wired.client.call("undo_change", { id: redo }))).toMatch(/^Nothing to bring back with the id many/);
});

test("takes the last change of many files back without an id, and one of them by its path", async () => {
  await using folder = tempFolder({ root: PROJECT, state: {} });
  await using at = await served(folder, undefined, { allowDelete: true });
  await at.replace(COLOR);
  expect(text(await at.wired.client.call("undo_change", { path: folder.at("root/a.ts") }))).toMatch(/^Successfully brought back .*a\.ts/);
  expect(folder.read("root/a.ts")).toBe("const color = color1;\ncolor();\n");
  expect(folder.read("root/src/b.ts")).toContain("colour");
  expect(text(await at.wired.client.call("undo_change", {}))).toMatch(/^Successfully brought back 4 files/);
  expect(folder.read("root/src/b.ts")).not.toContain("colour");
});

describe("regular expressions", () => {
  const replaced = async (content: string | Buffer, args: Json) => {
    await using folder = tempFolder({ root: { f: content }, state: {} });
    await using at = await served(folder, undefined, { allowDelete: true });
    const result = await at.replace({ regex: true, ...args });
    return { text: text(result), bytes: readFileSync(folder.at("root/f")) };
  };

  test.each([
    ["fills in groups", "f(a, b)\nf(c, d)\n", String.raw`f\((\w+), (\w+)\)`, "f($2, $1)", "f(b, a)\nf(d, c)\n", 2],
    ["fills in named groups", "a=1\n", "(?P<key>a)=(?P<value>1)", "${value}=${key}", "1=a\n", 1],
    ["keeps a dollar sign that is doubled", "5 EUR\n", String.raw`(\d) EUR`, "$$$1", "$5\n", 1],
    ["keeps CRLF at the end of a line", "a \r\nb\t\r\n", "[ \t]+$", "", "a\r\nb\r\n", 2],
    ["spans lines where the pattern has a line break", "a\nb\nc\n", String.raw`a\nb`, "x\ny\nz", "x\ny\nz\nc\n", 1],
    ["counts letters beyond ASCII as parts of words", "größe gr\n", String.raw`\bgr\b`, "x", "größe x\n", 1],
    ["inserts at the start of each line", "a\nb", "^", "> ", "> a\n> b", 2],
    ["replaces a long line in many places", `${"ab".repeat(50_000)}\n`, "b", "c", `${"ac".repeat(50_000)}\n`, 50_000],
  ])("%s", async (_title, content, pattern, replaceWith, expected, count) => {
    const done = await replaced(content, { pattern, replaceWith });
    expect(done.text).toMatch(new RegExp(`^Replaced ${count} match(es)? in 1 file:`));
    expect(done.bytes.toString()).toBe(expected);
  });

  test("refuses a pattern that is not one, before anything is changed", async () => {
    const { text: reply, bytes } = await replaced("a(\n", { pattern: "a(", replaceWith: "x" });
    expect(reply).toMatch(/^Invalid pattern: [^]*\nFor plain text, .* \(to replace: leave regex out\)\.$/);
    expect(bytes.toString()).toBe("a(\n");
    expect((await replaced("a(\n", { pattern: "(?<=a)x", replaceWith: "x" })).text).toMatch(
      /\nWithout look-around and backreferences: .* \(to replace: into groups that replaceWith repeats, as \$1\)\.$/,
    );
  });

  test("replaces in time that grows with the text by a pattern that backtracks elsewhere", async () => {
    const { text: reply } = await replaced(`${"a".repeat(50_000)}b\n`, { pattern: "(a+)+$", replaceWith: "x" });
    expect(reply).toMatch(/^No matches found in 1 text file; nothing was replaced\./);
  });
});

test("takes pattern and replaceWith as they are without regex", async () => {
  await using folder = tempFolder({ root: { f: "a.b $1 a.b\r\nx\r\ny\r\n" }, state: {} });
  await using at = await served(folder, undefined, { allowDelete: true });
  await at.replace({ pattern: "a.b $1", replaceWith: "$&\\n" });
  await at.replace({ pattern: "x\ny", replaceWith: "1\n2\n3" });
  expect(folder.read("root/f")).toBe("$&\\n a.b\r\n1\r\n2\r\n3\r\n");
});

test("changes nothing when the user declines, and where neither undo nor a question is possible", async () => {
  await using folder = tempFolder({ root: PROJECT, state: {}, file: "" });
  const before = rootOf(folder);
  await using declined = await served(folder, [decline]);
  expect(text(await declined.replace(COLOR))).toMatch(/^Not replaced: the user did not agree/);
  await using mute = await served(folder, undefined, { stateHome: folder.at("file") });
  expect(text(await mute.replace(COLOR))).toMatch(/^Not replaced: .* does not support elicitation\. Start the server with --allow-delete/);
  expect(rootOf(folder)).toEqual(before);
});

test("goes on without a question where the client cannot ask and everything can be brought back", async () => {
  await using folder = tempFolder({ root: PROJECT, state: {} });
  await using at = await served(folder, undefined);
  const reply = text(await at.replace(COLOR));
  expect(reply).toMatch(/^Replaced 7 matches in 5 files:\n/);
  expect(reply).toMatch(/To undo this, call undo_change with the id many/);
});

test("names a file that changed between the question and its turn, and changes the others", async () => {
  await using folder = tempFolder({ root: { a: "color", b: "color" }, state: {} });
  const changing: ScriptedReply = () => {
    writeFileSync(folder.at("root/a"), "color of another program");
    return accept({ confirm: true });
  };
  await using at = await served(folder, [changing]);
  const [first, ...rest] = text(await at.replace({ pattern: "color", replaceWith: "colour" })).split("\n");
  expect(first).toBe("Replaced 1 match in 1 file, and not in 1 file:");
  expect(rest.slice(0, 2)).toEqual([
    `${folder.at("root/b")}: 1`,
    expect.stringMatching(/a: not replaced: Expected the file to have the etag/),
  ]);
  expect(folder.read("root/a")).toBe("color of another program");
});

test("refuses more files than one call may change, and a directory for reading only", async () => {
  await using folder = tempFolder({ root: Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`f${at}`, "color"])), state: {} });
  await using at = await served(folder, undefined, { allowDelete: true });
  expect(text(await at.replace(COLOR))).toMatch(/^No matches found in 0 text files/);
  expect(text(await at.replace({ ...COLOR, glob: "*" }))).toMatch(/^More than 500 files match: nothing was replaced\. Narrow path or glob/);
  await using reading = await served(folder, undefined, { allowDelete: true, directories: [`${folder.at("root")}:ro`] });
  expect(text(await reading.replace({ ...COLOR, glob: "f1" }))).toMatch(/read-only/);
});

describe("several edits", () => {
  const FILES: Tree = { "a.ts": "one two\n", "b.ts": "two\r\ntwo\r\n", "c.ts": "other\n", docs: { "d.md": "one\n", "e.txt": "one\n" } };

  test("are made in order, everywhere they occur, and need not all occur in a file", async () => {
    await using folder = tempFolder({ root: FILES, state: {} });
    await using at = await served(folder, undefined, { allowDelete: true });
    const edits = [
      { oldText: "one", newText: "two" },
      { oldText: "two", newText: "three" },
    ];
    const reply = text(await at.replace({ path: undefined, edits, glob: "{*.ts,docs/*.md}" }));
    expect(reply).toMatch(/^Replaced 7 matches in 3 files:\n/);
    expect(["a.ts", "b.ts", "c.ts", "docs/d.md", "docs/e.txt"].map((name) => folder.read(`root/${name}`))).toEqual([
      "three three\n",
      "three\r\nthree\r\n",
      "other\n",
      "three\n",
      "one\n",
    ]);
  });

  test("that take each other back change nothing", async () => {
    await using folder = tempFolder({ root: FILES, state: {} });
    await using at = await served(folder, undefined, { allowDelete: true });
    const before = rootOf(folder);
    const edits = [
      { oldText: "other", newText: "some" },
      { oldText: "some", newText: "other" },
    ];
    expect(text(await at.replace({ edits }))).toMatch(/nothing was replaced/);
    expect(rootOf(folder)).toEqual(before);
  });

  test("and a pattern exclude each other, and one of them is needed", async () => {
    await using folder = tempFolder({ root: FILES, other: {}, state: {} });
    await using at = await served(folder, undefined, { directories: [folder.at("root"), folder.at("other")] });
    const edits = [{ oldText: "one", newText: "two" }];
    expect(text(await at.replace({ edits, pattern: "one" }))).toMatch(/^Cannot combine edits/);
    expect(text(await at.replace({ pattern: "one" }))).toMatch(/^Nothing to replace: expected pattern and replaceWith/);
    expect(text(await at.replace({ path: undefined, edits }))).toBe(
      "Path missing: 2 directories are allowed. Name one of list_allowed_directories.",
    );
  });
});
