// Legacy encodings by name: read, written, appended and edited without damage.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { editText } from "../../../src/disk/edit/file-editor.ts";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { refusal, refuses, world } from "../support/world.ts";

const SAMPLES: readonly (readonly [name: string, text: string, bytes: number[]])[] = [
  ["shift_jis", "表\n", [0x95, 0x5c, 0x0a]],
  ["gbk", "中\n", [0xd6, 0xd0, 0x0a]],
  ["gb18030", "中\n", [0xd6, 0xd0, 0x0a]],
  ["big5", "中\n", [0xa4, 0xa4, 0x0a]],
  ["euc-kr", "한\n", [0xc7, 0xd1, 0x0a]],
  ["euc-jp", "日\n", [0xc6, 0xfc, 0x0a]],
  ["windows-1251", "Жя\n", [0xc6, 0xff, 0x0a]],
  ["koi8-r", "Ж\n", [0xf6, 0x0a]],
  ["KOI8-R", "Ж\n", [0xf6, 0x0a]],
  ["iso-8859-2", "ł\n", [0xb3, 0x0a]],
  ["cp437", "é\n", [0x82, 0x0a]],
  ["ISO-8859-1", "é\n", [0xe9, 0x0a]],
  ["CP1252", "€\n", [0x80, 0x0a]],
  ["UTF8", "é\n", [0xc3, 0xa9, 0x0a]],
];

test.each(SAMPLES)("reads, writes, appends and edits %s", async (encoding, text, bytes) => {
  const { root, open } = world();
  const sandbox = await open();
  await writeText(sandbox, "f", text, { encoding });
  expect([...readFileSync(join(root, "f"))]).toEqual(bytes);
  await writeText(sandbox, "f", text, { encoding, mode: "append" });
  expect([...readFileSync(join(root, "f"))]).toEqual([...bytes, ...bytes]);
  expect((await readText(sandbox, "f", { encoding })).content).toBe(text + text);
  expect((await readText(sandbox, "f", { encoding, tail: 1 })).content).toBe(text);
  expect((await readText(sandbox, "f", { encoding, head: 1 })).content).toBe(text.trimEnd());
  const edits = [{ oldText: text + text, newText: `x${text}` }];
  expect((await editText(sandbox, "f", edits, { encoding })).replacements).toBe(1);
  expect([...readFileSync(join(root, "f"))]).toEqual([0x78, ...bytes]);
});

test("refuses text with characters that the encoding does not have", async () => {
  const { root, open } = world();
  const sandbox = await open();
  writeFileSync(join(root, "f"), "before");
  const error = await refusal(() => writeText(sandbox, "f", "Grüße 中", { encoding: "koi8-r" }));
  expect(error.message).toContain('"ü"');
  expect((await refusal(() => writeText(sandbox, "f", "a😀b", { encoding: "shift_jis" }))).message).toContain('"😀"');
  expect(readFileSync(join(root, "f"), "utf8")).toBe("before");
});

test("refuses to edit bytes that the named encoding does not have", async () => {
  const { root, open } = world();
  const sandbox = await open();
  writeFileSync(join(root, "f"), Buffer.from([0x61, 0x0a, 0x95, 0x5c, 0xff, 0xff, 0x0a]));
  await refuses("invalid", () => editText(sandbox, "f", [{ oldText: "a", newText: "b" }], { encoding: "shift_jis" }));
});

test.each(["shift-jsi", "utf-7", "utf-32", "hex", "base64", "nonsense", "", "x".repeat(500), "../iconv"])(
  "refuses the encoding %j by name",
  async (encoding) => {
    const { root, open } = world();
    const sandbox = await open();
    writeFileSync(join(root, "f"), "x");
    const error = await refusal(() => readText(sandbox, "f", { encoding }));
    expect(error.message).toMatch(/^Encoding .{0,45} is not supported here\. (?:Did you mean|Some that are)/);
    expect(error.message.includes("shift_jis")).toBe(encoding !== "utf-7" && encoding !== "utf-32");
  },
);
