import { expect, test } from "vitest";
import { clip, escapeControls, escapeControlsInJson, escapeForTerminal, truncateText } from "../src/index.ts";

test("leaves text without control characters unchanged", () => {
  expect(escapeControls('naïve "file" 文件 😀 \\ .txt')).toBe('naïve "file" 文件 😀 \\ .txt');
});

test("escapes line breaks, controls and directional marks", () => {
  expect(escapeControls("a\nb\r\tc\u001b[2J\u007f\u0085")).toBe("a\\nb\\r\\tc\\x1b[2J\\x7f\\x85");
  expect(escapeControls("\u2028\u2029\u202e\u2066x")).toBe("\\u2028\\u2029\\u202e\\u2066x");
  expect(escapeControls("\u061c\u200e\u200fx")).toBe("\\u061c\\u200e\\u200fx");
});

test("escapes text of several lines without changing the value of JSON", () => {
  expect(escapeForTerminal("a\n\tb\r\u001b[2J\u202e")).toBe("a\n\tb\\u000d\\u001b[2J\\u202e");
  const value = { name: "a\u009b\u007f\u202e\u2028" };
  const json = escapeForTerminal(JSON.stringify(value, undefined, 2));
  expect(json).toMatch(/^[\n\x20-\x7e]*$/);
  expect(JSON.parse(json)).toEqual(value);
});

test("escapes JSON text without changing its value", () => {
  const value = { name: "a\nb\u0085\u202e\u2028", plain: "é\u200f" };
  const json = escapeControlsInJson(JSON.stringify(value));
  expect(json).not.toMatch(/[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
  expect(JSON.parse(json)).toEqual(value);
});

test("clips long text and escapes the rest", () => {
  expect(clip("x".repeat(201))).toBe(`${"x".repeat(200)}…`);
  expect(clip("x".repeat(200))).toBe("x".repeat(200));
  expect(clip("a\nb", 2)).toBe("a\\n…");
});

test("keeps surrogate pairs together when it truncates", () => {
  expect(truncateText("ab😀cd", 3)).toBe("ab…");
  expect(truncateText("ab😀cd", 4)).toBe("ab😀…");
});

test.each([
  ["a blank without width", "a\u200bb", String.raw`a\u200bb`],
  ["a word joiner and a byte order mark inside", "a\u2060b\ufeff", String.raw`a\u2060b\ufeff`],
  ["tag characters", "hi\u{e0068}\u{e0069}", String.raw`hi\udb40\udc68\udb40\udc69`],
  ["variation selectors in a row", "x\u{e0101}\u{e0102}", String.raw`x\udb40\udd01\udb40\udd02`],
])("shows %s", (_, text, escaped) => {
  expect(escapeControls(text)).toBe(escaped);
  expect(escapeForTerminal(text)).toBe(escaped);
  expect(JSON.parse(escapeControlsInJson(JSON.stringify(text)))).toBe(text);
  expect(escapeControlsInJson(JSON.stringify(text))).toBe(`"${escaped}"`);
});

test.each(["👩‍🚀", "می‌خواهم", "葛\u{e0100}城", "❤️", "Grüße 日本"])("leaves %s as it is", (text) => {
  expect([escapeControls(text), escapeForTerminal(text), escapeControlsInJson(text)]).toEqual([text, text, text]);
});
