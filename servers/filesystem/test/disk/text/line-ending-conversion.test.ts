import { expect, test } from "vitest";
import { convertLineEndings } from "../../../src/disk/text/line-ending-conversion.ts";
import { editor, one } from "../support/editor.ts";
import { refusal } from "../support/world.ts";

test.each([
  ["lf", "a\r\nb\nc\r\n", "a\nb\nc\n", 2],
  ["crlf", "a\r\nb\nc", "a\r\nb\r\nc", 1],
  ["lf", "a\rb\r", "a\nb\n", 2],
  ["crlf", "a\rb\r", "a\r\nb\r\n", 2],
  ["lf", "progress\rdone\r\n", "progress\rdone\n", 1],
  ["lf", "a\r\r\nb\r\n", "a\nb\n", 2],
  ["crlf", "a\r\r\nb\r\n", "a\r\nb\r\n", 1],
  ["lf", "", "", 0],
] as const)("converts to %s: %j", (target, text, expected, count) => {
  expect(convertLineEndings(text, target)).toEqual({ text: expected, count });
});

test.each<[string, (text: string) => Buffer]>([
  ["utf-8", (text) => Buffer.from(text)],
  ["utf-8 with a mark", (text) => Buffer.from(`\ufeff${text}`)],
  ["utf-16le", (text) => Buffer.from(`\ufeff${text}`, "utf16le")],
  ["utf-16be", (text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
  ["a single byte for each character", (text) => Buffer.from(text, "latin1")],
])("converts a file in %s and keeps every other byte", async (_, bytesOf) => {
  const { edit, bytes } = await editor(bytesOf("é ä\r\nü\nß\r\n"));
  expect(await edit([], { lineEnding: "lf" })).toMatchObject({ applied: true, converted: 2, replacements: 0 });
  expect(bytes()).toEqual(bytesOf("é ä\nü\nß\n"));
  expect(await edit([], { lineEnding: "crlf", dryRun: true })).toMatchObject({ applied: false, converted: 3 });
  expect(bytes()).toEqual(bytesOf("é ä\nü\nß\n"));
  await edit([], { lineEnding: "crlf" });
  expect(bytes()).toEqual(bytesOf("é ä\r\nü\r\nß\r\n"));
});

test("converts after the edits of the same call", async () => {
  const { edit, text } = await editor("a\r\nb\n");
  expect(await edit(one("a", "A\nA"), { lineEnding: "lf" })).toMatchObject({ replacements: 1, converted: 2, firstChangedLine: 1 });
  expect(text()).toBe("A\nA\nb\n");
  expect(await edit(one("b", "B"), { lineEnding: "lf" })).toMatchObject({ converted: 0 });
});

test("refuses a conversion without an effect", async () => {
  const { edit } = await editor("a\nb\n");
  expect((await refusal(() => edit([], { lineEnding: "lf" }))).message).toMatch(
    /^No change: the file has no line ending other than LF: f$/,
  );
  expect((await refusal(() => edit([]))).message).toMatch(/^No edits: expected at least one, or lineEnding\.$/);
});

test("refuses edits that the conversion takes back", async () => {
  const { edit, text } = await editor("a\nb\n");
  expect((await refusal(() => edit(one("a", "a\r"), { lineEnding: "lf" }))).message).toBe(
    "No change: the file is the same after its edits and the conversion to LF: f",
  );
  expect(text()).toBe("a\nb\n");
});
