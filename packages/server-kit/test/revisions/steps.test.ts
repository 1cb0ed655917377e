// Each step back: newer shapes in older words, and the very same object where there is nothing to change.
import { describe, expect, test } from "vitest";
import { step as at20241105 } from "../../src/revisions/2024-11-05.ts";
import { step as at20250326 } from "../../src/revisions/2025-03-26.ts";
import { step as at20250618 } from "../../src/revisions/2025-06-18.ts";
import { step as at20251125 } from "../../src/revisions/2025-11-25.ts";
import type { Part, Step } from "../../src/revisions/revision.ts";
import type { Json } from "../../src/wire/json-rpc.ts";

const icons = [{ src: "https://x.example/i.png" }];
const text = (value: string): Json => ({ type: "text", text: value });
const annotations = { audience: ["user"], priority: 0.5 };
const dated = { ...annotations, lastModified: "2025-01-12T15:00:58Z" };
const inputSchema = { type: "object" };
const form = (properties: Json, more: Json = {}): Json => ({ message: "m", requestedSchema: { type: "object", properties, ...more } });
const sampling = (...messages: Json[]): Json => ({ messages, maxTokens: 1 });
const user = (content: unknown, more: Json = {}): Json => ({ role: "user", content, ...more });
const audio = { type: "audio", data: "AAAA", mimeType: "audio/wav" };

/** Part, newer shape, older shape; without an older shape the value stays the very same object. */
type Row = [part: Part, newer: Json, older?: Json];

const TABLE: [Step, Row[]][] = [
  [
    at20251125,
    [
      ["cacheable", { tools: [], ttlMs: 60_000, cacheScope: "public", nextCursor: "c" }, { tools: [], nextCursor: "c" }],
      ["cacheable", { contents: [], ttlMs: 0, cacheScope: "private", _meta: { a: 1 } }, { contents: [], _meta: { a: 1 } }],
      ["cacheable", { contents: [] }],
      ["tool", { name: "t", inputSchema, outputSchema: { type: "array" } }, { name: "t", inputSchema }],
      ["tool", { name: "t", inputSchema, outputSchema: { anyOf: [{ type: "object" }] } }, { name: "t", inputSchema }],
      ["tool", { name: "t", inputSchema, outputSchema: { type: "object" }, icons, title: "T" }],
      ["tool", { name: "t", inputSchema }],
      [
        "tool",
        { name: "t", inputSchema: { type: "object", properties: { a: true, b: false, c: { type: "string" } } } },
        { name: "t", inputSchema: { type: "object", properties: { a: {}, b: { not: {} }, c: { type: "string" } } } },
      ],
      [
        "tool",
        { name: "t", inputSchema, outputSchema: { type: "object", properties: { a: true } } },
        { name: "t", inputSchema, outputSchema: { type: "object", properties: { a: {} } } },
      ],
      ["callResult", { content: [], structuredContent: [1] }, { content: [] }],
      ["callResult", { content: [], structuredContent: null }, { content: [] }],
      ["callResult", { content: [], structuredContent: "x" }, { content: [] }],
      ["callResult", { content: [], structuredContent: { a: 1 } }],
      ["callResult", { content: [], isError: true, _meta: { a: 1 } }],
      [
        "elicit",
        { mode: "url", message: "m", url: "https://x.example/" },
        { mode: "url", message: "m", url: "https://x.example/", elicitationId: expect.any(String) },
      ],
      ["elicit", { mode: "form", ...form({ a: { type: "string", default: "x" } }) }],
      [
        "sample",
        { ...sampling(user(text("a"))), tools: [{ name: "t", inputSchema, outputSchema: { type: "array" } }] },
        { ...sampling(user(text("a"))), tools: [{ name: "t", inputSchema }] },
      ],
      [
        "sample",
        sampling(user([{ type: "tool_result", toolUseId: "1", content: [], structuredContent: [1] }])),
        sampling(user([{ type: "tool_result", toolUseId: "1", content: [text("[1]")] }])),
      ],
      [
        "sample",
        sampling(user({ type: "tool_result", toolUseId: "1", content: [text("one")], structuredContent: null })),
        sampling(user({ type: "tool_result", toolUseId: "1", content: [text("one")] })),
      ],
      ["sample", sampling(user([{ type: "tool_result", toolUseId: "1", content: [], structuredContent: { a: 1 } }]), user(text("a")))],
    ],
  ],
  [
    at20250618,
    [
      ...(["tool", "resource", "template", "prompt", "block"] as const).flatMap((part): Row[] => [
        [part, { name: "n", title: "T", icons, _meta: { a: 1 } }, { name: "n", title: "T", _meta: { a: 1 } }],
        [part, { name: "n", title: "T", annotations: dated }],
      ]),
      [
        "initialize",
        { serverInfo: { name: "n", version: "1", title: "T", description: "d", websiteUrl: "https://x.example/", icons } },
        { serverInfo: { name: "n", version: "1", title: "T" } },
      ],
      ["initialize", { serverInfo: { name: "n", version: "1", title: "T" }, capabilities: { completions: {} } }],
      [
        "elicit",
        { mode: "form", ...form({ a: { type: "boolean", default: true, title: "A", description: "d" } }) },
        form({ a: { type: "boolean", default: true, title: "A", description: "d" } }),
      ],
      [
        "elicit",
        { mode: "form", ...form({ a: { type: "string", default: "x", minLength: 1 }, b: { type: "integer", default: 1 } }) },
        form({ a: { type: "string", minLength: 1 }, b: { type: "integer" } }),
      ],
      [
        "elicit",
        { mode: "form", ...form({ a: { type: "string", enum: ["x", "y"], default: "x" } }) },
        form({ a: { type: "string", enum: ["x", "y"] } }),
      ],
      [
        "elicit",
        {
          mode: "form",
          ...form(
            { a: { type: "string", title: "A", oneOf: [{ const: "x", title: "X" }, { const: "y" }], default: "x" } },
            { required: ["a"], $schema: "s" },
          ),
        },
        form({ a: { type: "string", title: "A", enum: ["x", "y"], enumNames: ["X", "y"] } }, { required: ["a"] }),
      ],
      ["sample", { ...sampling(user(text("a"))), tools: [], toolChoice: {} }, sampling(user(text("a")))],
      [
        "sample",
        sampling(user([text("a"), text("b")], { _meta: { x: 1 } }), user(text("c"))),
        sampling(user(text("a")), user(text("b")), user(text("c"))),
      ],
      ["sample", sampling(user([])), sampling()],
      [
        "sample",
        sampling(
          { role: "assistant", content: { type: "tool_use", id: "1", name: "t", input: { a: 1 } } },
          user([{ type: "tool_result", toolUseId: "1", content: [text("r")] }]),
        ),
        sampling(
          { role: "assistant", content: text('{"type":"tool_use","id":"1","name":"t","input":{"a":1}}') },
          user(text('{"type":"tool_result","toolUseId":"1","content":[{"type":"text","text":"r"}]}')),
        ),
      ],
    ],
  ],
  [
    at20250326,
    [
      [
        "tool",
        { name: "t", title: "T", inputSchema, outputSchema: {}, _meta: {} },
        { name: "t", inputSchema, annotations: { title: "T" } },
      ],
      [
        "tool",
        { name: "t", title: "T", inputSchema, annotations: { readOnlyHint: true } },
        { name: "t", inputSchema, annotations: { title: "T", readOnlyHint: true } },
      ],
      [
        "tool",
        { name: "t", title: "T", inputSchema, annotations: { title: "Other" } },
        { name: "t", inputSchema, annotations: { title: "Other" } },
      ],
      ["tool", { name: "t", inputSchema, annotations: { readOnlyHint: true } }],
      ["callResult", { content: [text('{"a":1}')], structuredContent: { a: 1 } }, { content: [text('{"a":1}')] }],
      ["callResult", { content: [], isError: true }],
      ["block", { type: "resource_link", uri: "a:b", name: "b" }, text("b — a:b")],
      [
        "block",
        {
          type: "resource_link",
          uri: "a:b",
          name: "b",
          title: "B",
          description: "d",
          size: 1,
          mimeType: "x/y",
          _meta: {},
          annotations: dated,
        },
        { ...text("B — a:b\nd"), annotations },
      ],
      ["block", { ...text("a"), _meta: { x: 1 }, annotations: dated }, { ...text("a"), annotations }],
      [
        "block",
        { type: "resource", resource: { uri: "a:b", text: "c", _meta: { x: 1 } }, _meta: { x: 1 } },
        { type: "resource", resource: { uri: "a:b", text: "c" } },
      ],
      ["block", { ...text("a"), annotations }],
      ["block", audio],
      ["block", { type: "resource", resource: { uri: "a:b", text: "c" } }],
      ...(["resource", "template"] as const).flatMap((part): Row[] => [
        [part, { name: "n", title: "T", _meta: {}, annotations: dated, size: 1 }, { name: "n", annotations, size: 1 }],
        [part, { name: "n", annotations, size: 1 }],
      ]),
      ["contents", { uri: "a:b", text: "c", _meta: {} }, { uri: "a:b", text: "c" }],
      ["contents", { uri: "a:b", blob: "AAAA" }],
      [
        "prompt",
        { name: "p", title: "T", _meta: {}, arguments: [{ name: "a", title: "A", required: true }, { name: "b" }] },
        { name: "p", arguments: [{ name: "a", required: true }, { name: "b" }] },
      ],
      ["prompt", { name: "p", description: "d", arguments: [{ name: "a" }] }],
      ["initialize", { serverInfo: { name: "n", version: "1", title: "T" } }, { serverInfo: { name: "n", version: "1" } }],
      ["initialize", { serverInfo: { name: "n", version: "1" } }],
      ["sample", sampling(user({ ...text("a"), _meta: { x: 1 }, annotations: dated })), sampling(user({ ...text("a"), annotations }))],
      ["sample", sampling(user(text("a")))],
    ],
  ],
  [
    at20241105,
    [
      ["tool", { name: "t", inputSchema, annotations: { readOnlyHint: true } }, { name: "t", inputSchema }],
      ["tool", { name: "t", inputSchema }],
      ["block", audio, { type: "resource", resource: { uri: expect.stringMatching(/^[a-z]+:/), mimeType: "audio/wav", blob: "AAAA" } }],
      [
        "block",
        { ...audio, annotations },
        { type: "resource", resource: { uri: expect.any(String), mimeType: "audio/wav", blob: "AAAA" }, annotations },
      ],
      ["block", text("a")],
      ["block", { type: "image", data: "AAAA", mimeType: "image/png" }],
      ["initialize", { capabilities: { completions: {}, logging: {} } }, { capabilities: { logging: {} } }],
      ["initialize", { capabilities: { logging: {} } }],
      ["progress", { progressToken: 1, progress: 1, total: 2, message: "m" }, { progressToken: 1, progress: 1, total: 2 }],
      ["progress", { progressToken: 1, progress: 1 }],
      ["sample", sampling(user(text("a")), user(audio)), sampling(user(text("a")), user(text("[audio, audio/wav]")))],
      ["sample", sampling(user(text("a")))],
    ],
  ],
];

describe.each(TABLE.map(([step, rows]) => [step.id, step, rows] as const))("LIFE-20 to %s", (_id, { down = {} }, rows) => {
  test.each(rows)("%s %j", (part, newer, older) => {
    const before = structuredClone(newer);
    const given = down[part]!(newer);
    if (older === undefined) expect(given).toBe(newer);
    else expect(given).toEqual(older);
    // Nobody's object is changed on the way.
    expect(newer).toEqual(before);
  });

  test("lists every part of the step in the table", () => {
    expect(new Set(rows.map(([part]) => part))).toEqual(new Set(Object.keys(down)));
  });
});

test("ELIC-14 gives each URL elicitation an id of its own", () => {
  const newId = (): unknown => at20251125.down!.elicit!({ mode: "url", message: "m", url: "https://x.example/" })["elicitationId"];
  expect(new Set(Array.from({ length: 100 }, newId)).size).toBe(100);
});

test.each([{}, { b: { type: "string" } }])("ELIC-10 refuses a form with a required multiple choice, beside the fields %j", (others) => {
  const several = { type: "array", items: { type: "string", enum: ["x"] } };
  const asked = { mode: "form", ...form({ a: several, ...others }, { required: ["a"] }) };
  expect(() => at20250618.down!.elicit!(asked)).toThrow("multiple choice");
});

test("ELIC-10 leaves out an optional multiple choice", () => {
  const several = { type: "array", items: { type: "string", enum: ["x"] } };
  const asked = { mode: "form", ...form({ a: several, b: { type: "string" } }, { required: ["b"] }) };
  expect(at20250618.down!.elicit!(asked)).toEqual(form({ b: { type: "string" } }, { required: ["b"] }));
});

test("ELIC-10 refuses a form of only optional multiple choices, which would be empty", () => {
  const several = { mode: "form", ...form({ a: { type: "array", items: { type: "string", enum: ["x"] } } }) };
  expect(() => at20250618.down!.elicit!(several)).toThrow("multiple choice");
});

test("COMP-09 drops resolved arguments when it decodes revisions without them", () => {
  expect(at20250326.up!["completion/complete"]!({ ref: {}, argument: {}, context: {} })).toEqual({ ref: {}, argument: {} });
});
