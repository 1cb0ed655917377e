// Paths in replies: as the caller wrote them, relative below a relative path.
import { connectTo, tempFolder } from "@oarlock/testing";
import type { Json } from "@oarlock/server-kit/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { text } from "../support/served-folder.ts";
import { targetOf } from "../support/target.ts";

const folder = tempFolder({ root: { "a.md": "one\n", src: { "b.md": "one\n", "c.md": "two\n" } }, state: {} });
let wired: Awaited<ReturnType<typeof connectTo>>;

beforeAll(async () => {
  const target = await targetOf({
    directories: [folder.at("root")],
    stateHome: folder.at("state"),
    toolsets: ["default", "bulk", "compare"],
    allowDelete: true,
  });
  wired = await connectTo(target);
});

afterAll(async () => {
  await wired[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** The reply of one tool to a relative and to an absolute path. */
const both = async (name: string, path: string, args: Json): Promise<[string, string]> => {
  const [one, other] = [
    await wired.client.call(name, { path, ...args }),
    await wired.client.call(name, { path: folder.at("root", path), ...args }),
  ];
  expect(JSON.stringify(name === "edit_file" ? one.content : one)).not.toContain(folder.path);
  return [text(one), text(other)];
};

const CALLS: readonly [name: string, path: string, args: Json, text: string][] = [
  ["search_files", ".", { pattern: "**/*.md" }, "src/b.md"],
  ["search_files", "src", { pattern: "*.md", details: true }, "src/b.md"],
  ["search_file_contents", "src", { pattern: "one" }, "src/b.md"],
  ["search_file_contents", "./src/", { pattern: "one", outputMode: "files" }, "src/b.md"],
  ["replace_in_files", "src", { pattern: "one", replaceWith: "two", dryRun: true }, "src/b.md"],
  ["delete_file", "src", { recursive: true, dryRun: true }, "src/b.md"],
  ["edit_file", "src/b.md", { edits: [{ oldText: "one", newText: "two" }], dryRun: true }, "--- src/b.md\n+++ src/b.md\n@@"],
  ["compare_files", "a.md", { other: "src/c.md" }, "--- a.md\n+++ src/c.md\n@@"],
];

test.each(CALLS)("shows the paths of %s below %s as the caller writes them", async (name, path, args, text) => {
  const [relative, absolute] = await both(name, path, args);
  expect(relative).toContain(text);
  if (name !== "compare_files") expect(absolute).toContain(folder.at("root", "src/b.md"));
});

test("names what undo_change brings back below the only allowed directory", async () => {
  await wired.client.call("write_file", { path: folder.at("root", "a.md"), content: "two\n" });
  expect(text(await wired.client.call("undo_change", { list: true }))).toMatch(/^\w+: a\.md \(overwritten /);
  expect(text(await wired.client.call("undo_change", {}))).toMatch(/^Successfully brought back a\.md\n/);
  expect(text(await wired.client.call("undo_change", { path: folder.at("root", "a.md"), list: true }))).toContain(
    folder.at("root", "a.md"),
  );
});
