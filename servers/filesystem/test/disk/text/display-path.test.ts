import { expect, test } from "vitest";
import { shown, shownBytes, shownJson } from "../../../src/disk/text/display-path.ts";

test("a name stays on its line and in its order", () => {
  expect(shown("a\nb\r\tc\0\x1b[2J\x7f\x85\u2028\u202egpj.exe\u2066")).toBe(
    "a\\nb\\r\\tc\\x00\\x1b[2J\\x7f\\x85\\u2028\\u202egpj.exe\\u2066",
  );
});

test("ordinary names come back as they are", () => {
  for (const name of ["a b", "é", "e\u0301", "日本語", "שלום", "😀", "a\\nb", "%0a"]) expect(shown(name)).toBe(name);
});

test("JSON text keeps its value", () => {
  const value = ["a\u202eb", "c\u2028\n\x9b"];
  const text = shownJson(JSON.stringify(value));
  expect(text).not.toMatch(/[\u202e\u2028\x9b]/);
  expect(JSON.parse(text)).toEqual(value);
});

test("bytes that are not UTF-8 are shown, the rest is read", () => {
  expect(shownBytes(Buffer.from("caf\xe9.txt", "latin1"))).toBe("caf\\xE9.txt");
  expect(shownBytes(Buffer.from("né\xff日", "latin1"))).not.toContain("\ufffd");
  expect(shownBytes(Buffer.concat([Buffer.from("né日😀"), Buffer.from([0xf0, 0x9f])]))).toBe("né日😀\\xF0\\x9F");
  expect(shownBytes(Buffer.from([0xed, 0xa0, 0x80, 0x2f]))).toBe("\\xED\\xA0\\x80/");
});
