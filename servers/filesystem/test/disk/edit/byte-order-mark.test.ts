// Edits that give the byte order mark of a file as a character.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { editText } from "../../../src/disk/edit/file-editor.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { editor, one } from "../support/editor.ts";
import { world } from "../support/world.ts";

const MARKED = "\ufeffnamespace A\r\n{\r\n  use(b);\r\n}\r\n";

test.each(["exact", "flexible"] as const)("finds a first line that is given with the mark of the file, %s", async (matching) => {
  const { edit, text } = await editor(MARKED);
  await edit(one("\ufeffnamespace A\n{\n", "\ufeffnamespace B\n{\n"), { matching });
  expect(text()).toBe(MARKED.replace("A", "B"));
});

test("writes no mark inside a file that has none", async () => {
  const { edit, text } = await editor("// Licence\nnamespace A\n");
  await edit(one("\ufeffnamespace A\n", "\ufeffnamespace B\n"));
  expect(text()).toBe("// Licence\nnamespace B\n");
});

test.each([
  ["an edit", one("namespace A", "\ufeffnamespace B"), {}],
  ["a range of lines", one("", "\ufeffnamespace B\n"), { lines: "1-1" }],
] as const)("writes no second mark by %s", async (_, edits, options) => {
  const { edit, text } = await editor(MARKED);
  await edit([...edits], options);
  expect(text()).toBe(MARKED.replace("A", "B"));
});

test("refuses to add a mark that is there, and adds one that is not", async () => {
  const marked = await editor(MARKED);
  await expect(marked.edit(one("namespace A", "\ufeffnamespace A"))).rejects.toThrow("has a byte order mark already");
  const { edit, text } = await editor("namespace A\n");
  await edit(one("namespace A", "\ufeffnamespace A"));
  expect(text()).toBe("\ufeffnamespace A\n");
});

test("names the tool that removes a mark", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "f"), MARKED);
  const sandbox = await open();
  await expect(editText(sandbox, "f", one("\ufeffnamespace A", "namespace A"))).rejects.toThrow("use write_file with encoding utf-8");
  await writeText(sandbox, "f", MARKED.slice(1), { encoding: "utf-8" });
  expect(readFileSync(join(root, "f"), "utf8")).toBe(MARKED.slice(1));
});

test("appends no mark to a text", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "f"), MARKED);
  await writeText(await open(), "f", "\ufeff// end\n", { mode: "append" });
  expect(readFileSync(join(root, "f"), "utf8")).toBe(`${MARKED}// end\r\n`);
});
