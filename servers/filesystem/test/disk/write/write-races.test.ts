// Writes while another program writes the same name without a lock: its content is not lost where the caller expects to know the file.
import { appendFileSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { writeText, type WriteOptions } from "../../../src/disk/write/text-writer.ts";
import { refuses, world } from "../support/world.ts";

/** Long enough to be written in many steps. */
const CONTENT = "x".repeat(16 * 1024 * 1024);

/** Waits until a temporary file in the directory has bytes. */
async function writeBegun(root: string): Promise<void> {
  const hasBytes = (name: string): boolean =>
    name.startsWith(".oarlock-") && (statSync(join(root, name), { throwIfNoEntry: false })?.size ?? 0) > 100_000;
  while (!readdirSync(root).some(hasBytes)) await new Promise((resolve) => setImmediate(resolve));
}

test.each<[what: string, before: string | undefined, options: WriteOptions, code: "exists" | "conflict"]>([
  ["a new file that another program creates", undefined, { mode: "create" }, "exists"],
  ["an append to a missing file that another program creates", undefined, { mode: "append" }, "exists"],
  ["an append to an empty file that another program extends", "", { mode: "append" }, "conflict"],
])("refuses %s and keeps the other content", async (_what, before, options, code) => {
  const { root, open } = world();
  const sandbox = await open();
  if (before !== undefined) writeFileSync(join(root, "f"), before);
  const written = writeText(sandbox, "f", CONTENT, options);
  const refused = refuses(code, () => written);
  await writeBegun(root);
  appendFileSync(join(root, "f"), "theirs");
  await refused;
  expect(readFileSync(join(root, "f"), "utf8")).toBe("theirs");
});

test("refuses an overwrite with an etag when another program writes the file meanwhile", async () => {
  const { root, open } = world();
  const sandbox = await open();
  writeFileSync(join(root, "f"), "before");
  const { etag } = await readText(sandbox, "f");
  const written = writeText(sandbox, "f", CONTENT, { expectedEtag: etag });
  const refused = refuses("conflict", () => written);
  await writeBegun(root);
  writeFileSync(join(root, "f"), "theirs");
  await refused;
  expect(readFileSync(join(root, "f"), "utf8")).toBe("theirs");
});

test("overwrites without an etag what another program writes meanwhile", async () => {
  const { root, open } = world();
  const sandbox = await open();
  writeFileSync(join(root, "f"), "before");
  const written = writeText(sandbox, "f", CONTENT);
  await writeBegun(root);
  writeFileSync(join(root, "f"), "theirs");
  await written;
  expect(statSync(join(root, "f")).size).toBe(CONTENT.length);
});
