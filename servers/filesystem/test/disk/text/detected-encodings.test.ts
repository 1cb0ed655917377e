// One reading of a file: what a read shows, an edit matches and writes back, and facts and appends go by.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { editText } from "../../../src/disk/edit/file-editor.ts";
import { info } from "../../../src/disk/read/file-info.ts";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { decodeKeepingInvalid, encodeKeepingInvalid, scanUtf8 } from "../../../src/disk/text/utf8-damage.ts";
import { decodeWindows1252, encodeWindows1252 } from "../../../src/disk/text/windows-1252.ts";
import { wideEncoding } from "../../../src/disk/text/wide-text.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { refuses, world } from "../support/world.ts";

async function file(content: Buffer) {
  const { root, open } = world();
  const path = join(root, "f");
  writeFileSync(path, content);
  const sandbox = await open();
  return { path, sandbox, bytes: () => readFileSync(path), read: () => readText(sandbox, "f") };
}

const mixed = (...parts: (string | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "number" ? Buffer.of(part) : Buffer.from(part))));

test("reads UTF-8 with one bad byte as UTF-8, names its position, and keeps the byte in edits", async () => {
  const { sandbox, bytes, read } = await file(mixed("Grüße\nbad ", 0xe9, " byte\nüber\n"));
  expect(await read()).toMatchObject({ content: "Grüße\nbad \ufffd byte\nüber\n", encoding: "utf-8", damage: { line: 2, byte: 12 } });
  expect(info(sandbox, "f")).toMatchObject({ encoding: "utf-8", lines: 3, damage: { line: 2, byte: 12 } });
  const { diff } = await editText(sandbox, "f", [{ oldText: "über", newText: "unter ß" }]);
  expect(diff).toContain(" bad \ufffd byte\n-über\n+unter ß\n");
  expect(bytes()).toEqual(mixed("Grüße\nbad ", 0xe9, " byte\nunter ß\n"));
  await writeText(sandbox, "f", "ö", { mode: "append" });
  expect(bytes()).toEqual(mixed("Grüße\nbad ", 0xe9, " byte\nunter ß\nö"));
  await refuses("not-found", () => editText(sandbox, "f", [{ oldText: "bad \ufffd byte", newText: "x" }]));
});

test("finds no damage in a replacement character that is text", async () => {
  const { read } = await file(mixed("é \ufffd\n"));
  expect((await read()).damage).toBeUndefined();
});

test.each(["utf-16le", "utf-16be"] as const)("reads, edits and extends %s without a mark", async (encoding) => {
  const wide = (text: string): Buffer => {
    const bytes = Buffer.from(text, "utf16le");
    return encoding === "utf-16be" ? bytes.swap16() : bytes;
  };
  const { sandbox, bytes, read } = await file(wide("één\r\ntwo\r\n"));
  expect(await read()).toMatchObject({ content: "één\r\ntwo\r\n", encoding, bom: false, lineEnding: "crlf", totalLines: 2 });
  expect(info(sandbox, "f")).toMatchObject({ encoding, lines: 2 });
  await editText(sandbox, "f", [{ oldText: "two", newText: "2 €" }]);
  await writeText(sandbox, "f", "drei\n", { mode: "append" });
  expect(bytes()).toEqual(wide("één\r\n2 €\r\ndrei\r\n"));
});

test("reads single bytes as windows-1252, and writes its letters", async () => {
  const { sandbox, bytes, read } = await file(mixed("It", 0x92, "s ", 0x80, " 5, caf", 0xe9, "\n"));
  expect(await read()).toMatchObject({ content: "It’s € 5, café\n", encoding: "windows-1252" });
  await editText(sandbox, "f", [{ oldText: "€ 5", newText: "„6“" }]);
  expect(bytes()).toEqual(mixed("It", 0x92, "s ", 0x84, "6", 0x93, ", caf", 0xe9, "\n"));
});

test("encodes every byte of windows-1252", () => {
  const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  expect(encodeWindows1252(decodeWindows1252(all))).toEqual(all);
  expect(decodeWindows1252(all)).toBe(new TextDecoder("windows-1252").decode(all));
  expect(encodeWindows1252("a中b")).toEqual({ foreign: "中" });
});

test.each<[string, Buffer]>([
  ["a stray byte", mixed("a", 0xff, "b")],
  ["a character that is cut", Buffer.from("é€\u{1f600}").subarray(0, -1)],
  ["overlong and surrogate forms", mixed(0xc0, 0xaf, 0xe0, 0x80, 0xaf, 0xed, 0xa0, 0x80, 0xf4, 0x90, 0x80, 0x80)],
  ["a byte at each end", mixed(0x80, "日本", 0xc3)],
])("keeps bytes that are not UTF-8: %s", (_, bytes) => {
  expect(encodeKeepingInvalid(decodeKeepingInvalid(bytes))).toEqual(bytes);
  expect(scanUtf8(bytes).firstInvalid).toBeGreaterThanOrEqual(0);
  expect(encodeKeepingInvalid(`${decodeKeepingInvalid(bytes)}\ud800`)).toBeUndefined();
});

test.each<[string, Buffer, string | undefined]>([
  ["little-endian text", Buffer.from("plain text\r\n", "utf16le"), "utf-16le"],
  ["big-endian text", Buffer.from("plain text\r\n", "utf16le").swap16(), "utf-16be"],
  ["Cyrillic", Buffer.from("Это текст, и ещё один.\n", "utf16le"), "utf-16le"],
  ["an emoji", Buffer.from("ok \u{1f600} ok", "utf16le"), "utf-16le"],
  ["small numbers", Buffer.from(Uint16Array.of(1, 2, 3, 4).buffer), undefined],
  ["ASCII with a NUL", Buffer.from("nul\0inside"), undefined],
  ["NULs on both sides", Buffer.from("a\0b\0\0c\0d"), undefined],
  ["an odd number of bytes", Buffer.from("a\0b\0c"), undefined],
  ["no NUL", Buffer.from("日本語", "utf16le"), undefined],
  ["nothing", Buffer.alloc(0), undefined],
])("tells UTF-16 without a mark from other bytes: %s", (_, bytes, encoding) => {
  expect(wideEncoding(bytes)).toBe(encoding);
});
