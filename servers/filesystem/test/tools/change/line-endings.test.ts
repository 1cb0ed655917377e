// edit_file with lineEnding, for one file and for many.
import { expect, test } from "vitest";
import type { TrashWriter } from "../../../src/disk/trash/trash-writer.ts";
import { convertFiles } from "../../../src/replies/converted-files.ts";
import { scratch } from "../../disk/support/scratch.ts";
import { everyRevisionOn, text } from "../../support/served-folder.ts";

const TREE = { a: "1\r\n2\r\n", b: "1\r\n", c: "1\n", d: {}, bin: Buffer.from([1, 0, 255, 13, 10]) };

everyRevisionOn("converts the line endings of a file by edit_file", TREE, async ({ call, failure, at, folder }) => {
  const args = { path: at("a"), lineEnding: "lf" };
  expect(text(await call("edit_file", { ...args, edits: [], dryRun: true }))).toBe("Would convert 2 line endings to LF.");
  expect(text(await call("edit_file", args))).toMatch(/^Converted 2 line endings to LF\./);
  expect(text(await call("read_text_file", { path: at("a") }))).toMatch(/^1\n2\n/);
  expect(await failure("edit_file", args)).toMatch(/^No change: the file has no line ending other than LF/);
  expect(await failure("edit_file", { path: at("a") })).toMatch(/^No edits: expected at least one, or lineEnding\./);
  const edits = [{ oldText: "2", newText: "two" }];
  const both = text(await call("edit_file", { path: at("a"), edits, lineEnding: "crlf" }));
  expect(both).toMatch(/^```diff\n[^]*\n-2\n\+two\n```\n\nConverted 2 line endings to CRLF\./);
  expect(folder).not.toBe("");
});

everyRevisionOn("converts many files in one call, and says which it left", TREE, async ({ call, failure, at, structured, tree }) => {
  const paths = ["b", "c", "d", "bin", "none", "b"].map(at);
  const before = tree();
  const dry = text(await call("edit_file", { path: at("a"), paths, lineEnding: "lf", dryRun: true }));
  expect(dry).toMatch(/^Would convert 3 line endings to LF in 2 files\.\n/);
  expect(tree()).toEqual(before);
  const result = await call("edit_file", { path: at("a"), paths, lineEnding: "lf" });
  const [first, ...problems] = text(result).split("\n");
  expect(first).toBe("Converted 3 line endings to LF in 2 files.");
  expect(problems.splice(0, 2)).toEqual([`${at("a")}: 2, utf-8`, `${at("b")}: 1, utf-8`]);
  expect(problems.slice(0, 4).map((line) => line.slice(at("").length))).toEqual([
    "c: No change: the file has no line ending other than LF",
    "d: Expected a file, but this is a directory",
    expect.stringMatching(/^bin: Binary files cannot be edited/),
    expect.stringMatching(/^none: No such file/),
  ]);
  if (structured) {
    const { files } = result.structuredContent as { files: { path: string; converted: number; etag?: string }[] };
    expect(files.map(({ path, converted, etag }) => [path.slice(at("").length), converted, etag !== undefined])).toEqual([
      ["a", 2, true],
      ["b", 1, true],
      ["c", 0, false],
      ["d", 0, false],
      ["bin", 0, false],
      ["none", 0, false],
    ]);
  }
  expect(await failure("edit_file", { path: at("a"), paths, lineEnding: "lf" })).toMatch(/^No file was converted:\n/);
  const edits = [{ oldText: "1", newText: "2" }];
  expect(await failure("edit_file", { path: at("a"), paths, edits })).toMatch(/^paths is for lineEnding alone/);
});

test("says which of many files cannot be brought back", async () => {
  const place = scratch({ a: "1\r\n", b: "2\r\n", c: "3\r\n" });
  const keepingOnly = (...kept: string[]): TrashWriter => ({
    takeDeleted: () => Promise.reject(new Error("not called")),
    keepOverwritten: async (entry, old, act) => ({ result: await act(old), undo: kept.includes(entry.name) ? "id" : undefined }),
  });
  const paths = ["a", "b", "c"].map(place.at);
  const hintsFor = async (lineEnding: "lf" | "crlf", trash: TrashWriter) =>
    (await convertFiles(await place.sandbox(), paths, [], { lineEnding, trash, group: "many1" })).content.split("\n").slice(4);
  expect(await hintsFor("lf", keepingOnly("a", "b", "c"))).toEqual(["To undo this, call undo_change with the id many1."]);
  expect(await hintsFor("crlf", keepingOnly("b"))).toEqual([
    `To undo this, call undo_change with the id many1, except of ${place.at("a")} and 1 more file, which could not be kept.`,
  ]);
  expect(await hintsFor("lf", keepingOnly())).toEqual(["This cannot be undone: what was there before could not be kept."]);
});

everyRevisionOn(
  "names the form of an edited file that is unusual, and the etag of a guarded edit",
  { a: Buffer.from("caf\u00e9\r\nx\r\n", "latin1"), b: "x\n" },
  async ({ client, at }) => {
    const edit = async (args: object) => {
      const { content } = await client.call("edit_file", { edits: [{ oldText: "x", newText: "y" }], dryRun: true, ...args });
      return content.slice(1).map((block) => (block.type === "text" ? block.text : ""));
    };
    expect(await edit({ path: at("a") })).toEqual(["[windows-1252, CRLF]"]);
    expect(await edit({ path: at("b") })).toEqual([]);
    const { content } = await client.call("get_file_info", { path: at("b") });
    const [, etag = ""] = /etag (\S+)\]/.exec(content.map((block) => (block.type === "text" ? block.text : "")).join("\n")) ?? [];
    expect(await edit({ path: at("b"), expectedEtag: etag })).toEqual([`[etag ${etag}]`]);
  },
);
