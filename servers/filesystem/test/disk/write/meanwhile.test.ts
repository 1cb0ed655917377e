// Changes of other programs while a write is under way: what they write is not lost where the call depends on the old state.
import { appendFileSync, linkSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Sandbox } from "../../../src/disk/access/sandbox.ts";
import { editText } from "../../../src/disk/edit/file-editor.ts";
import { HASHED_BYTES } from "../../../src/disk/read/etag.ts";
import { info } from "../../../src/disk/read/file-info.ts";
import type { TrashWriter } from "../../../src/disk/trash/trash-writer.ts";
import { writeText, type WriteOptions } from "../../../src/disk/write/text-writer.ts";
import { meanwhile } from "../support/meanwhile.ts";
import { refusal, refuses, world } from "../support/world.ts";

const etagOf = (sandbox: Sandbox, path: string): string => info(sandbox, path).etag!;

test.each(["create", "append"] as const)("refuses by %s to replace a file that another program creates", async (mode) => {
  const { root, open } = world();
  const signal = meanwhile(join(root, "f"), () => writeFileSync(join(root, "f"), "of another"));
  await refuses("exists", async () => writeText(await open(), "f", "own", { mode, signal }));
  expect(readFileSync(join(root, "f"), "utf8")).toBe("of another");
});

test("overwrites a file that another program creates", async () => {
  const { root, open } = world();
  const signal = meanwhile(join(root, "f"), () => writeFileSync(join(root, "f"), "of another"));
  await writeText(await open(), "f", "own", { signal });
  expect(readFileSync(join(root, "f"), "utf8")).toBe("own");
});

test.each<[what: string, old: string, options: WriteOptions & { readonly hasEtag?: boolean }]>([
  ["an overwrite with an etag", "old", { hasEtag: true }],
  ["an append to an empty file", "", { mode: "append" }],
  ["an append with an etag", "\u00fc", { mode: "append", hasEtag: true }],
])("refuses by %s a file that another program changes", async (_what, old, { hasEtag = false, ...options }) => {
  const { root, open } = world();
  const sandbox = await open();
  writeFileSync(join(root, "f"), old);
  const expectedEtag = hasEtag ? etagOf(sandbox, "f") : undefined;
  const signal = meanwhile(join(root, "f"), () => appendFileSync(join(root, "f"), "of another"));
  const { code, message } = await refusal(() => writeText(sandbox, "f", "own", { ...options, expectedEtag, signal }));
  expect([code, message]).toEqual(["conflict", "File changed: another program wrote it in the meantime. Read it again: f"]);
  expect(readFileSync(join(root, "f"), "utf8")).toBe(`${old}of another`);
});

test.each<[what: string, options: WriteOptions, content: string]>([
  ["an overwrite", {}, "own"],
  ["an append", { mode: "append" }, "\u00fcof anotherown"],
])("continues %s without an etag when another program changes the file", async (_what, options, content) => {
  const { root, open } = world();
  writeFileSync(join(root, "f"), "\u00fc");
  const signal = meanwhile(join(root, "f"), () => appendFileSync(join(root, "f"), "of another"));
  await writeText(await open(), "f", "own", { ...options, signal });
  expect(readFileSync(join(root, "f"), "utf8")).toBe(content);
});

test("refuses an append to a file with several names that another program changes", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "f"), "old");
  linkSync(join(root, "f"), join(root, "g"));
  // When the new file is complete.
  const isComplete = (): boolean => readdirSync(root).some((name) => name.startsWith(".oarlock-") && statSync(join(root, name)).size === 6);
  const signal = Object.assign(new AbortController().signal, {
    throwIfAborted: () => void (isComplete() && appendFileSync(join(root, "g"), "+")),
  });
  await refuses("conflict", async () => writeText(await open(), "f", "own", { mode: "append", signal }));
  expect(readFileSync(join(root, "f"), "utf8")).toBe("old+");
});

test("refuses an edit of a file that another program changes", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "f"), "old text");
  const trash: TrashWriter = {
    takeDeleted: () => Promise.reject(new Error("nothing is deleted here")),
    async keepOverwritten(_entry, old, act) {
      appendFileSync(join(root, "f"), " of another");
      return { result: await act(old), undo: undefined };
    },
  };
  await refuses("conflict", async () => editText(await open(), "f", [{ oldText: "old", newText: "new" }], { trash }));
  expect(readFileSync(join(root, "f"), "utf8")).toBe("old text of another");
});

test.each([1, 2])("returns the etag that a reader sees from an append to a file with %i names, for each size", async (names) => {
  const { root, open } = world();
  const sandbox = await open();
  for (const size of [10, HASHED_BYTES - 4, HASHED_BYTES - 3, HASHED_BYTES - 2, HASHED_BYTES + 10]) {
    writeFileSync(join(root, "f"), "a");
    truncateSync(join(root, "f"), size);
    const old = join(root, `g-${size}`);
    if (names === 2) linkSync(join(root, "f"), old);
    const { etag } = await writeText(sandbox, "f", "own", { mode: "append" });
    expect(etag, `${size}`).toBe(etagOf(sandbox, "f"));
    expect(statSync(join(root, "f")).size).toBe(size + 3);
    if (names === 2) expect(statSync(old).size).toBe(size);
  }
});

test("continues an append with the etag when no other program changes the file", async () => {
  const { root, open } = world();
  const sandbox = await open();
  writeFileSync(join(root, "f"), "\u00fc");
  await writeText(sandbox, "f", "own", { mode: "append", expectedEtag: etagOf(sandbox, "f") });
  expect(readFileSync(join(root, "f"), "utf8")).toBe("\u00fcown");
});
