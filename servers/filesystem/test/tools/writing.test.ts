// The writing tools in every revision.
import { chmodSync, linkSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { CallToolResult } from "@oarlock/server-kit/protocol";
import { connectTo, linkTo, tempFolder, withMode } from "@oarlock/testing";
import { expect, test } from "vitest";
import { everyRevisionOn, text, textWithFacts } from "../support/served-folder.ts";
import { targetOf } from "../support/target.ts";

const etag = expect.stringMatching(/^\S{8,}$/);
const read = (path: string): string => readFileSync(path, "utf8");

everyRevisionOn("creates, replaces and appends by write_file, and refuses to create twice", {}, async ({ says, failure, at }) => {
  const path = at("f");
  const replyText = `Successfully wrote to ${path}`;
  await says("write_file", { path, content: "one\n" }, replyText, { path, bytesWritten: 4, created: true, etag });
  await says("write_file", { path, content: "two\n" }, replyText, { path, bytesWritten: 4, created: false, etag });
  await says("write_file", { path, content: "three\n", mode: "append" }, replyText, { path, bytesWritten: 6, created: false, etag });
  expect(await failure("write_file", { path, content: "x", mode: "create" })).toContain("exists");
  expect(read(path)).toBe("two\nthree\n");
});

everyRevisionOn("writes nothing by write_file where nothing would change", { f: "one\n" }, async ({ says, at }) => {
  const path = at("f");
  const before = statSync(path, { bigint: true });
  const unchanged = { path, bytesWritten: 0, created: false, unchanged: true, etag };
  await says("write_file", { path, content: "one\n" }, `No change: the file has exactly this content already: ${path}`, unchanged);
  await says("write_file", { path, content: "", mode: "append" }, `No change: the content to append is empty: ${path}`, unchanged);
  expect(statSync(path, { bigint: true }).ctimeNs).toBe(before.ctimeNs);
});

everyRevisionOn(
  "creates directories by write_file on request, and keeps mode and link",
  { f: withMode(0o750, "old"), l: linkTo("f") },
  async ({ call, at, tree }) => {
    await call("write_file", { path: at("a/b/c"), content: "x", createDirectories: true });
    await call("write_file", { path: at("l"), content: "new" });
    expect(statSync(at("f")).mode & 0o777).toBe(0o750);
    expect(tree()).toMatchObject({ l: "link → f", "a/b/c": expect.stringMatching(/^file/) });
    expect(read(at("f"))).toBe("new");
  },
);

everyRevisionOn("names a directory that a move or a copy makes", { f: "x", d: {} }, async ({ call, at }) => {
  const move = async (from: string, to: string) => text(await call("move_file", { source: at(from), destination: at(to) }));
  expect(await move("f", "d/g")).not.toContain("Made");
  expect((await move("d/g", "e/e/g")).split("\n").at(-1)).toBe(`Made the directory ${at("e/e")}.`);
  const copied = text(await call("copy_file", { source: at("e/e/g"), destination: at("h/i") }));
  expect(copied.split("\n").at(-1)).toBe(`Made the directory ${at("h")}.`);
});

everyRevisionOn("gives the new etag with a guarded write_file", { f: "one\n" }, async ({ call, at }) => {
  const etagIn = (result: CallToolResult) => /\[(?:.*, )?etag (\S+)\]$/.exec(textWithFacts(result))?.[1];
  const first = etagIn(await call("read_text_file", { path: at("f") }));
  const second = etagIn(await call("write_file", { path: at("f"), content: "two\n", expectedEtag: first }));
  const third = etagIn(await call("write_file", { path: at("f"), content: "three\n", mode: "append", expectedEtag: second }));
  expect(new Set([first, second, third]).size).toBe(3);
  expect(third).toBe(etagIn(await call("read_text_file", { path: at("f") })));
  expect(etagIn(await call("write_file", { path: at("f"), content: "four\n" }))).toBeUndefined();
});

everyRevisionOn("drops set-user-id bits on a write, and keeps the content of a file's other names", { f: "old" }, async ({ call, at }) => {
  chmodSync(at("f"), 0o4755);
  linkSync(at("f"), at("other"));
  await call("write_file", { path: at("f"), content: "new" });
  expect(statSync(at("f")).mode & 0o7777).toBe(0o755);
  expect(read(at("other"))).toBe("old");
});

everyRevisionOn("returns the diff and metadata by edit_file", { f: "one\ntwo\n" }, async ({ says, at }) => {
  const path = at("f");
  const head = `Index: ${path}\n${"=".repeat(67)}\n--- ${path}\toriginal\n+++ ${path}\tmodified\n`;
  const diff = `\`\`\`diff\n${head}@@ -1,2 +1,2 @@\n one\n-two\n+2\n\`\`\`\n\n`;
  const edits = [{ oldText: "two", newText: "2" }];
  const facts = { replacements: 1, firstChangedLine: 2, additions: 1, deletions: 1, etag, truncated: false };
  await says("edit_file", { path, edits, dryRun: true }, diff, {
    path,
    applied: false,
    ...facts,
  });
  expect(read(path)).toBe("one\ntwo\n");
  await says("edit_file", { path, edits }, diff, { path, applied: true, ...facts });
  expect(read(path)).toBe("one\n2\n");
});

everyRevisionOn(
  "replaces by edit_file all matches or an exact number, and applies all edits or none",
  { f: "x\nx\ny\n" },
  async ({ call, failure, at }) => {
    const path = at("f");
    expect(await failure("edit_file", { path, edits: [{ oldText: "x", newText: "z" }] })).toMatch(/at lines 1, 2/);
    expect(await failure("edit_file", { path, edits: [{ oldText: "x", newText: "z", expectedCount: 3 }] })).toMatch(/2 times, not 3/);
    expect(
      await failure("edit_file", {
        path,
        edits: [
          { oldText: "y", newText: "w" },
          { oldText: "q", newText: "z" },
        ],
      }),
    ).toMatch(/^Could not find exact match for edit 2 of 2/);
    expect(read(path)).toBe("x\nx\ny\n");
    await call("edit_file", { path, edits: [{ oldText: "x", newText: "z", expectedCount: 2 }] });
    await call("edit_file", { path, edits: [{ oldText: "z", newText: "x", replaceAll: true }] });
    expect(read(path)).toBe("x\nx\ny\n");
  },
);

everyRevisionOn(
  "matches flexibly in edit_file unless matching is exact",
  { f: "\tif (a) {\n\t\tb();\n" },
  async ({ call, failure, at }) => {
    const edits = [{ oldText: "if (a) {\n  b();", newText: "if (a) {\n  c();" }];
    expect(await failure("edit_file", { path: at("f"), edits, matching: "exact" })).toMatch(/^Could not find exact match/);
    await call("edit_file", { path: at("f"), edits });
    expect(read(at("f"))).toBe("\tif (a) {\n\t\tc();\n");
  },
);

everyRevisionOn(
  "refuses an edit with an etag when the file has changed since",
  { f: "one\n" },
  async ({ call, failure, at, structured }) => {
    if (!structured) return;
    const { etag } = (await call("read_text_file", { path: at("f") })).structuredContent as { etag: string };
    writeFileSync(at("f"), "two\n");
    const edits = [{ oldText: "two", newText: "2" }];
    expect(await failure("edit_file", { path: at("f"), edits, expectedEtag: etag })).toMatch(/changed/);
    expect(read(at("f"))).toBe("two\n");
    const now = (await call("get_file_info", { path: at("f") })).structuredContent as { etag: string };
    await call("edit_file", { path: at("f"), edits, expectedEtag: now.etag });
  },
);

everyRevisionOn("creates missing parents by create_directory, and accepts an existing directory", {}, async ({ says, at, tree }) => {
  const replyText = `Successfully created directory ${at("a/b")}`;
  await says("create_directory", { path: at("a/b") }, replyText, { created: true });
  await says("create_directory", { path: at("a/b") }, `Directory already exists: ${at("a/b")}`, { created: false });
  expect(tree()).toEqual({ "a/": "folder 755", "a/b/": "folder 755" });
});

everyRevisionOn("moves by move_file, and refuses an existing name", { a: "1", b: "2", d: {} }, async ({ says, failure, at, tree }) => {
  await says("move_file", { source: at("a"), destination: at("d/a") }, `Successfully moved ${at("a")} to ${at("d/a")}`, {
    replaced: false,
  });
  expect(await failure("move_file", { source: at("b"), destination: at("d/a") })).toBe(`Destination already exists: ${at("d/a")}`);
  expect(Object.keys(tree())).toEqual(["b", "d/", "d/a"]);
});

everyRevisionOn("refuses writes at and below .git", { ".git": { config: "x" }, a: "1" }, async ({ failure, at, tree }) => {
  const before = tree();
  for (const [name, args] of [
    ["write_file", { path: at(".git/config"), content: "y" }],
    ["write_file", { path: at(".git/hooks/post-commit"), content: "y", createDirectories: true }],
    ["write_file", { path: at("sub/.git"), content: "y", createDirectories: true }],
    ["edit_file", { path: at(".git/config"), edits: [{ oldText: "x", newText: "y" }] }],
    ["create_directory", { path: at(".git/hooks") }],
    ["move_file", { source: at("a"), destination: at(".git/a") }],
    ["move_file", { source: at(".git/config"), destination: at("config") }],
    ["move_file", { source: at(".git"), destination: at("git") }],
    ["move_file", { source: at("a"), destination: at(".GIT") }],
  ] as const) {
    const replyText = await failure(name, args);
    expect(replyText, `${name} ${JSON.stringify(args)}`).toMatch(/\.git/i);
  }
  expect(tree()).toEqual(before);
});

everyRevisionOn("returns paths as they were given", { d: { f: "1" } }, async ({ call, folder }) => {
  const relative = `${folder.slice(folder.lastIndexOf("/") + 1)}/d/./g`;
  expect(text(await call("write_file", { path: relative, content: "x" }))).toBe(`Successfully wrote to ${relative}`);
});

test("counts changed lines of edit_file in the complete diff, also when the reply has a part of it", async () => {
  await using folder = tempFolder({
    long: `${"x".repeat(3_000_000)} old\n`,
    many: `old ${"x".repeat(200)}\nsame\n`.repeat(400),
  });
  await using wired = await connectTo(await targetOf({ directories: [folder.path] }), {});
  const counts = async (path: string, newText: string) => {
    const edits = [{ oldText: "old", newText, replaceAll: true }];
    const { structuredContent } = await wired.client.call("edit_file", { path, edits, dryRun: true });
    return structuredContent;
  };
  expect(await counts("long", "new")).toMatchObject({ additions: 1, deletions: 1, truncated: true });
  expect(await counts("many", "new\nnew")).toMatchObject({ additions: 800, deletions: 400, truncated: true });
});
