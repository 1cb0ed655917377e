// Blocks, and what a handler may return.
import { describe, expect, test } from "vitest";
import { audio, embed, encodedText, image, json, link, text, toResult } from "../../src/features/content.ts";
import type { InteractiveContext } from "../../src/features/context.ts";
import { prompt } from "../../src/features/prompts.ts";
import type { Block } from "../../src/protocol/types.ts";

const ctx = {} as InteractiveContext;

test("builds each block by its helper", () => {
  expect(text("a")).toEqual({ type: "text", text: "a" });
  expect(text("a", { priority: 1 })).toEqual({ type: "text", text: "a", annotations: { priority: 1 } });
  expect(json({ a: [1, "\n"] })).toEqual({ type: "text", text: '{"a":[1,"\\n"]}' });
  expect(image("AAAA", "image/png")).toEqual({ type: "image", data: "AAAA", mimeType: "image/png" });
  expect(image(new Uint8Array([1, 2, 255]), "image/png")).toEqual({ type: "image", data: "AQL/", mimeType: "image/png" });
  expect(audio(Buffer.from("abc").subarray(1), "audio/wav")).toEqual({ type: "audio", data: "YmM=", mimeType: "audio/wav" });
  expect(audio("AAAA", "audio/wav")).toEqual({ type: "audio", data: "AAAA", mimeType: "audio/wav" });
  expect(link({ uri: "a:b", name: "b", size: 1 })).toEqual({ type: "resource_link", uri: "a:b", name: "b", size: 1 });
  expect(embed({ uri: "a:b", blob: new Uint8Array([0]) })).toEqual({ type: "resource", resource: { uri: "a:b", blob: "AA==" } });
  expect(embed({ uri: "a:b", text: "c" })).toEqual({ type: "resource", resource: { uri: "a:b", text: "c" } });
});

describe("a tool's return value", () => {
  test.each([
    ["text", "a", { content: [{ type: "text", text: "a" }] }],
    ["empty text", "", { content: [{ type: "text", text: "" }] }],
    ["no blocks", [], { content: [] }],
    ["blocks", [text("a"), image("AAAA", "image/png")], { content: [text("a"), image("AAAA", "image/png")] }],
    ["text with a structured value", { content: "a", structured: { b: 1 } }, { content: [text("a")], structuredContent: { b: 1 } }],
    [
      "blocks with a structured value",
      { content: [text("a")], structured: { b: 1 } },
      { content: [text("a")], structuredContent: { b: 1 } },
    ],
    ["an error with both", { content: "a", structured: {}, isError: true }, { content: [text("a")], structuredContent: {}, isError: true }],
    ["an error in blocks", { content: [text("a")], isError: true }, { content: [text("a")], isError: true }],
    ["extra data", { content: "a", _meta: { b: 1 } }, { content: [text("a")], _meta: { b: 1 } }],
    ["a result of a client", { content: [text("a")], structured: undefined, isError: false }, { content: [text("a")] }],
    ["content alone", { content: [text("a")] }, { content: [text("a")] }],
    ["both, not an error", { content: "a", structured: {}, isError: false }, { content: [text("a")], structuredContent: {} }],
  ])("TOOL-15 %s", (_title, value, result) => {
    expect(toResult(value, 'tool "t"')).toEqual(result);
  });

  test.each([
    undefined,
    null,
    1,
    true,
    1n,
    Symbol("s"),
    () => 1,
    {},
    { some: "object" },
    [null],
    [1],
    ["a"],
    [{}],
    [{ type: 1 }],
    { content: 7, structured: {} },
    { content: undefined, isError: true },
    new Date(),
  ])("KIT-14 %s is refused with the expected values", (value) => {
    expect(() => toResult(value, 'tool "t"')).toThrow(/^tool "t" returned .*; expected text, blocks/);
  });
});

describe("KIT-14 a block that clients refuse", () => {
  const BAD: [title: string, block: object, remedy: RegExp][] = [
    ["a text that is a number", { type: "text", text: 5 }, /"text" .*Make it by text\(…\)\.$/],
    ["an image without data", { type: "image", mimeType: "image/png" }, /"image" .*image\(bytes, mimeType\)\.$/],
    ["an image of bytes", { type: "image", data: new Uint8Array([1]), mimeType: "image/png" }, /image\(bytes, mimeType\)\.$/],
    ["audio without a type", { type: "audio", data: "AA==" }, /audio\(bytes, mimeType\)\.$/],
    ["a link without a name", { type: "resource_link", uri: "a:b" }, /link\(\{ uri, name \}\)\.$/],
    ["a resource without contents", { type: "resource", resource: { uri: "a:b" } }, /embed\(\{ uri, text \}\)\.$/],
    ["a resource without an object", { type: "resource", uri: "a:b", text: "c" }, /embed/],
    ["an unknown type", { type: "video", data: "AA==" }, /"video": expected text, image, audio, resource_link, resource\.$/],
    ["a type of the prototype", { type: "constructor" }, /"constructor": expected text/],
  ];
  test.each(BAD)("%s is refused in a tool and a prompt", async (_title, block, remedy) => {
    expect(() => toResult([text("a"), block], 'tool "t"')).toThrow(remedy);
    expect(() => toResult({ content: [block], isError: true }, 'tool "t"')).toThrow(/^tool "t" returned a block/);
    const one = prompt({ name: "p", get: () => [{ role: "user", content: block as Block }] });
    await expect(one.get({}, ctx)).rejects.toThrow(remedy);
    await expect(one.get({}, ctx)).rejects.toThrow(/^Prompt "p" returned a block/);
  });

  test("is accepted from each function that makes one", () => {
    const blocks = [encodedText('"a"'), audio("", "audio/wav"), link({ uri: "a:b", name: "" }), embed({ uri: "a:b", text: "" })];
    expect(toResult([...blocks, embed({ uri: "a:b", blob: new Uint8Array() })], "")).toMatchObject({
      content: [...blocks, { resource: { blob: "" } }],
    });
  });
});

test.each([{}, { isError: false }, { _meta: {} }])("a result in the form of the protocol is refused with the remedy (%j)", (more) => {
  const result = { content: [text("a")], structuredContent: { b: 1 }, ...more };
  const remedy = 'tool "t" returned structuredContent. Rename structuredContent to structured.';
  expect(() => toResult(result, 'tool "t"')).toThrow(remedy);
  expect(toResult({ ...result, structured: result.structuredContent }, 'tool "t"')).toMatchObject({ structuredContent: { b: 1 } });
});
