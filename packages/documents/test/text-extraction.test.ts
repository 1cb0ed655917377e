// What every format has in common: parts, offsets, and the way on.
import { expect, test } from "vitest";
import { extractText } from "../src/text-extraction.ts";
import { pptxOf } from "./support/archives.ts";

const slides = pptxOf(["one", "two", "three"].map((text) => `<a:p><a:r><a:t>${text.repeat(10)}</a:t></a:r></a:p>`));

test("begins at a part, and says where the rest begins", async () => {
  const { parts, next } = await extractText(slides, { part: 2, maxChars: 40 });
  expect({ parts, next }).toEqual({
    parts: [
      { number: 2, text: "two".repeat(10) },
      { number: 3, text: "three".repeat(2) },
    ],
    next: { part: 3, offset: 10 },
  });
});

test("goes on within a part until the end", async () => {
  const { parts, next } = await extractText(slides, { part: 3, offset: 45 });
  expect({ parts, next }).toEqual({ parts: [{ number: 3, text: "three" }], next: undefined });
});

test("joins what it reads in pieces to the whole text", async () => {
  const emoji = pptxOf([`<a:p><a:r><a:t>${"a😀".repeat(40)}</a:t></a:r></a:p>`]);
  let text = "";
  let at: { part: number; offset: number } | undefined = { part: 1, offset: 0 };
  while (at !== undefined) {
    const piece = await extractText(emoji, { ...at, maxChars: 7 });
    for (const part of piece.parts) {
      expect(part.text.isWellFormed()).toBe(true);
      text += part.text;
    }
    at = piece.next;
  }
  expect(text).toBe("a😀".repeat(40));
});

test.each([
  [{ part: 4 }, "The document has no slide 4: expected at most 3."],
  [{ part: 1, offset: 31 }, "The text of slide 1 has 30 characters: there is no offset 31."],
])("refuses the position %o", async (options, message) => {
  await expect(extractText(slides, options)).rejects.toMatchObject({ code: "no-such-part", message });
});
