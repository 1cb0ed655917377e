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
  ["UTF-8 with a NUL", Buffer.from("\u{10000}\t\0"), undefined],
  ["UTF-8 whose sample ends inside a character", Buffer.from(`${"é\0".repeat(21_845)}é`), undefined],
  ["an odd number of bytes", Buffer.from("a\0b\0c"), undefined],
  ["no NUL", Buffer.from("日本語", "utf16le"), undefined],
  ["nothing", Buffer.alloc(0), undefined],
])("tells UTF-16 without a mark from other bytes: %s", (_, bytes, encoding) => {
  expect(wideEncoding(bytes)).toBe(encoding);
});

test("does not take half of a character for a byte that is not valid", async () => {
  const { sandbox, bytes } = await file(mixed("\u{1f480}\n"));
  await refuses("invalid", () => editText(sandbox, "f", [{ oldText: "\ud83d", newText: "x" }]));
  await refuses("invalid", () => editText(sandbox, "f", [{ oldText: "\udc80", newText: "x" }]));
  expect(bytes()).toEqual(mixed("\u{1f480}\n"));
});

test("reads four bytes with a control character as binary", () => {
  expect(wideEncoding(Buffer.from("A\u0001", "utf16le"))).toBeUndefined();
  expect(wideEncoding(Buffer.from("AB", "utf16le"))).toBe("utf-16le");
});

test("takes no line of the end of a large file for a line of the file", async () => {
  const end = mixed("é\nü ", 0xff, "\n");
  const { sandbox } = await file(Buffer.concat([Buffer.from("ö\n".repeat(1_500_000)), end]));
  expect((await readText(sandbox, "f", { tail: 2 })).damage).toEqual({});
  expect((await readText(sandbox, "f", { tail: 2, numbered: true })).damage).toEqual({ line: 1_500_002 });
});

test("extends CRLF that is divided by what is looked at, and keeps carriage returns without a newline", async () => {
  const { sandbox, bytes } = await file(Buffer.from(`${"ab\r\n".repeat(20_000)}x\r\n`));
  await writeText(sandbox, "f", "c\n", { mode: "append" });
  await writeText(sandbox, "f", "50 %\r", { mode: "append" });
  expect(bytes().subarray(-8).toString()).toBe("c\r\n50 %\r");
});

test("names no encoding for a file whose start ends inside a character", async () => {
  const { sandbox } = await file(Buffer.from(`${"a".repeat(65_535)}é`));
  expect((await writeText(sandbox, "f", "ü")).notes).toEqual([]);
});
