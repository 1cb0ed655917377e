// The text of a result is what JSON.stringify gives, whatever of it was encoded before.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { byteLength, serializeResult } from "../../../src/runtime/request/result-text.ts";
import { EncodedJson, encodedText } from "../../../src/features/content.ts";

const long = fc
  .tuple(fc.string({ unit: "binary", minLength: 1, maxLength: 20 }), fc.nat(3))
  .map(([part, more]) => part.repeat(20_000 + more));

test("returns any result of a text and the same structured content as it was", () => {
  fc.assert(
    fc.property(long, fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (text, more, same) => {
      const structuredContent = { ...more, content: same ? text : `${text}!` };
      const result = { ...more, content: [{ type: "text", text }], structuredContent };
      expect(JSON.parse(serializeResult(result))).toEqual(JSON.parse(JSON.stringify(result)));
    }),
    { numRuns: process.env["OARLOCK_LONG"] === "1" ? 2000 : 20 },
  );
});

test.each([
  [{}],
  [{ content: "x" }],
  [{ content: [], structuredContent: { content: "x" } }],
  [{ content: [{ type: "text", text: "x" }], structuredContent: { content: "x" } }],
  [{ content: [{ type: "text", text: "y".repeat(20_000) }], structuredContent: null }],
  [{ content: [null], structuredContent: { content: "y".repeat(20_000) } }],
  [
    {
      content: ["y", "note", "z"].map((of) => ({ type: "text", text: of.repeat(20_000) })),
      structuredContent: { content: "y".repeat(20_000) },
    },
  ],
])("%# returns every other result too", (result) => expect(serializeResult(result)).toBe(JSON.stringify(result)));

test("fails for values that JSON cannot hold", () => {
  expect(() => serializeResult({ content: [{ n: 1n }] })).toThrow(TypeError);
});

test.each(["", "abc", "grün", "日本語", "😀"])("measures %j in bytes", (text) => {
  expect(byteLength(text)).toBe(new TextEncoder().encode(text).length);
});

test("inserts encoded content and returns it as it was", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), fc.jsonValue(), (structured, text, more) => {
      const plain = { content: [{ type: "text", text }, { type: "text", text: "note" }, null], structuredContent: structured, more };
      const content = [encodedText(JSON.stringify(text)), { type: "text", text: "note" }, null];
      const result = { content, structuredContent: new EncodedJson(JSON.stringify(structured)), more };
      expect(serializeResult(result)).toBe(JSON.stringify(plain));
      expect(JSON.stringify(result)).toBe(JSON.stringify(plain));
    }),
  );
});
