// The twelve defects that were measured in the official server: each is shown there once more, and shown not to be here.
import { closeSync, mkdirSync, openSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { linkTo, type Tree } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { official, ours, type Answer, type Side } from "./pair.ts";
import type { Call } from "./row.ts";

let sides: { theirs: Side; ours: Side };

beforeAll(async () => {
  sides = { theirs: official(), ours: ours() };
  await Promise.all([sides.theirs.start(), sides.ours.start()]);
});

afterAll(async () => {
  await sides.theirs[Symbol.asyncDispose]();
  await sides.ours[Symbol.asyncDispose]();
});

interface Outcome {
  readonly last: Answer;
  /** A file afterwards. */
  bytes(name?: string): Buffer;
}

async function both(tree: Tree, ...calls: Call[]): Promise<{ theirs: Outcome; ours: Outcome }> {
  const outcome = async (side: Side): Promise<Outcome> => {
    const { answers, folder } = await side.play({ does: "", tree, calls });
    return { last: answers.at(-1)!, bytes: (name = "f") => readFileSync(join(folder, name)) };
  };
  return { theirs: await outcome(sides.theirs), ours: await outcome(sides.ours) };
}

const edit = (oldText: string, newText: string): Call => ["edit_file", { path: "{}/f", edits: [{ oldText, newText }] }];
const read = (more: object = {}): Call => ["read_text_file", { path: "{}/f", ...more }];

test("defect 1: keeps the line ends of a CRLF file on edit", async () => {
  const { theirs, ours } = await both({ f: "a\r\nb\r\nc\r\n" }, edit("b", "B"));
  expect(theirs.bytes().toString()).toBe("a\nB\nc\n");
  expect(ours.bytes().toString()).toBe("a\r\nB\r\nc\r\n");
});

test("defect 2: keeps the other bytes of a Latin-1 file on edit", async () => {
  const { theirs, ours } = await both({ f: Buffer.from("caf\xe9\nx\n", "latin1") }, edit("x", "y"));
  expect(theirs.bytes().toString()).toBe("caf\ufffd\ny\n");
  expect(ours.bytes()).toEqual(Buffer.from("caf\xe9\ny\n", "latin1"));
});

test("defect 3: changes neither of two matching positions", async () => {
  const { theirs, ours } = await both({ f: "x=1\ny=2\nx=1\n" }, edit("x=1", "x=3"));
  expect(theirs.bytes().toString()).toBe("x=3\ny=2\nx=1\n");
  expect(ours.bytes().toString()).toBe("x=1\ny=2\nx=1\n");
  expect(ours.last).toMatchObject({ isError: true, text: expect.stringContaining("at lines 1, 3") });
});

test("defect 4: keeps tab indentation when a match ignores blanks", async () => {
  const before = "class A:\n\tdef f(self):\n\t\tif x:\n\t\t\ty()\n";
  const { theirs, ours } = await both(
    { f: before },
    edit("def f(self):\n    if x:\n        y()", "def f(self):\n    if z:\n        y()\n        w()"),
  );
  expect(theirs.bytes().toString()).toContain("\n\tif z:\n\ty()\n        w()\n");
  expect(ours.bytes().toString()).toBe("class A:\n\tdef f(self):\n\t\tif z:\n\t\t\ty()\n\t\t\tw()\n");
});

test("defect 5: refuses an empty oldText", async () => {
  const { theirs, ours } = await both({ f: "one\n" }, edit("", "b"));
  expect(theirs.bytes().toString()).toBe("bone\n");
  expect(ours.bytes().toString()).toBe("one\n");
  expect(ours.last.isError).toBe(true);
});

test("defect 6: returns two lines as the last two lines", async () => {
  const { theirs, ours } = await both({ f: "one\ntwo\nthree\n" }, read({ tail: 2 }));
  expect(theirs.last.text).toBe("three\n");
  expect(ours.last.text).toBe("two\nthree\n");
});

test.each([{ head: 0 }, { tail: 0 }, { tail: -1 }, { head: -3 }, { head: 1.5 }])("defect 7: refuses %j as a count", async (count) => {
  const { theirs, ours } = await both({ f: "one\ntwo\nthree\n" }, read(count));
  expect(theirs.last.isError).toBe(false);
  expect(ours.last).toMatchObject({ isError: true, text: expect.stringContaining(`${Object.keys(count)[0]}: `) });
});

test("defect 8: reads a UTF-16 file as text", async () => {
  const { theirs, ours } = await both({ f: Buffer.from("\ufeffGrüße\n", "utf16le") }, read());
  expect(theirs.last.text).toContain("\0");
  expect(ours.last.text).toBe("Grüße\n");
});

test("defect 9: lists a link to a directory as a link", async () => {
  const { theirs, ours } = await both({ d: {}, l: linkTo("d") }, ["list_directory", { path: "{}" }]);
  expect(theirs.last.text).toBe("[DIR] d\n[FILE] l");
  expect(ours.last.text).toBe("[DIR] d\n[LINK] l -> d");
});

/** A folder with 6,000 files in 20 directories. */
async function manyFiles(): Promise<string> {
  const { folder } = await sides.ours.play({ does: "", tree: {}, calls: [] });
  for (let d = 0; d < 20; d++) {
    mkdirSync(join(folder, `d${d}`));
    for (let f = 0; f < 300; f++) closeSync(openSync(join(folder, `d${d}`, `f${f}`), "w"));
  }
  return folder;
}

test("defects 10 and 11: bounds a tree of thousands of files to one reply, and finds files in it", async () => {
  const folder = await manyFiles();
  const tree = await sides.ours.call(["directory_tree", { path: "{}" }], folder);
  expect(tree.blocks.length).toBeLessThan(100_000);
  expect(tree.text).toMatch(/\n\(the tree is cut at \d+ entries/);
  expect(JSON.parse(tree.text.slice(0, tree.text.lastIndexOf("]") + 1))).toHaveLength(20);

  const search: Call = ["search_files", { path: "{}", pattern: "**/f77" }];
  expect((await sides.ours.call(search, folder)).text.split("\n")).toHaveLength(20);
});

test("defect 10: bounds a tail of 100,000 lines and states its start, and reads a file of 600 MB in part", async () => {
  const { folder } = await sides.ours.play({
    does: "",
    tree: { lines: `${"x".repeat(100)}\n`.repeat(150_000), huge: "first\n" },
    calls: [],
  });
  const read = (call: Call): Promise<Answer> => sides.ours.call(call, folder);
  const tail = await read(["read_text_file", { path: "{}/lines", tail: 100_000 }]);
  expect(tail.isError).toBe(false);
  expect(tail.blocks.length).toBeLessThan(1_300_000);
  expect(tail.text).toContain("truncated");
  truncateSync(join(folder, "huge"), 600 * 1024 * 1024);
  expect(await read(["read_text_file", { path: "{}/huge" }])).toMatchObject({
    isError: true,
    text: expect.stringMatching(/head, tail, or offset and limit/),
  });
  expect(await read(["read_text_file", { path: "{}/huge", head: 1 }])).toMatchObject({ isError: false, text: "first" });
});

test("defect 12: names the remedy for a write below a missing directory", async () => {
  const { theirs, ours } = await both({}, ["write_file", { path: "{}/a/b.txt", content: "x" }]);
  expect(theirs.last).toMatchObject({ isError: true, text: expect.stringMatching(/^ENOENT/) });
  expect(ours.last).toMatchObject({ isError: true, text: expect.stringMatching(/^Parent directory does not exist: \{\}\/a\b/) });
  const created = await both({}, ["write_file", { path: "{}/a/b.txt", content: "x", createDirectories: true }]);
  expect(created.ours.last.text).toBe("Successfully wrote to {}/a/b.txt");
  expect(created.ours.bytes("a/b.txt").toString()).toBe("x");
});
