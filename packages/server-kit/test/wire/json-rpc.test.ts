// What a parsed line is, its bounds, and the texts of messages.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  errorText,
  isId,
  isObject,
  kindOf,
  notificationText,
  requestText,
  responseText,
  withinBounds,
  type Kind,
} from "../../src/wire/json-rpc.ts";

describe("kindOf", () => {
  const v = { jsonrpc: "2.0" };
  const rows: [Kind, unknown[]][] = [
    [
      "request",
      [
        { ...v, id: 1, method: "m" },
        { ...v, id: "", method: "" },
        { ...v, id: 0, method: "m", params: {} },
        { ...v, id: -1, method: "m", params: { a: 1 }, more: 1 },
        { ...v, id: Number.MAX_SAFE_INTEGER, method: "m" },
        { ...v, id: 1, method: "m", result: {} },
      ],
    ],
    [
      "notification",
      [
        { ...v, method: "m" },
        { ...v, method: "m", params: {} },
        { ...v, method: "" },
      ],
    ],
    [
      "ignored",
      [
        { ...v, method: "m", params: [] },
        { ...v, method: "m", params: null },
        { ...v, id: null, error: { code: 1, message: "x" } },
        { ...v, error: {} },
      ],
    ],
    ["bad-params", [[], null, "x", 0, true].map((params) => ({ ...v, id: 1, method: "m", params }))],
    [
      "response",
      [
        { ...v, id: 1, result: {} },
        { ...v, id: "a", result: null },
        { ...v, id: 1, error: {} },
      ],
    ],
    [
      "invalid",
      [
        null,
        undefined,
        1,
        "x",
        true,
        [],
        {},
        { id: 1, method: "m" },
        { jsonrpc: "1.0", id: 1, method: "m" },
        { jsonrpc: 2, id: 1, method: "m" },
        ...[null, 1.5, true, {}, [], NaN, 2 ** 53].map((id) => ({ ...v, id, method: "m" })),
        ...[null, 1, {}, [], false].map((method) => ({ ...v, id: 1, method })),
        { ...v },
        { ...v, id: 1 },
        { ...v, id: 1, result: {}, error: {} },
        { ...v, id: 1, error: "x" },
        { ...v, id: 1, error: [] },
        { ...v, id: null, result: {} },
        { ...v, result: {} },
        { ...v, id: 1.5, result: {} },
      ],
    ],
  ];

  test.each(rows)("RPC-03 RPC-05 RPC-06 RPC-07 RPC-08 RPC-12 %s", (kind, values) => {
    for (const value of values) expect.soft(kindOf(value), JSON.stringify(value)).toBe(kind);
  });

  test("never throws, and finds in a request the members of a request", () => {
    const member = fc.oneof(fc.jsonValue(), fc.constantFrom("2.0", "m", 1, {}));
    const message = fc.record(
      { jsonrpc: fc.constantFrom("2.0", "2.0", 2), id: member, method: member, params: member, result: member, error: member },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(message, fc.jsonValue()), (value) => {
        const kind = kindOf(value);
        if (kind === "invalid") return;
        if (!isObject(value)) throw new Error(`${kind}, though no object`);
        if (kind === "request" || kind === "bad-params" || kind === "response") expect(isId(value["id"])).toBe(true);
        if (kind === "request" || kind === "notification") {
          expect(typeof value["method"]).toBe("string");
          expect(value["params"] === undefined || isObject(value["params"])).toBe(true);
        }
        if (kind === "response") expect(isObject(value["error"])).toBe(value["result"] === undefined);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("withinBounds", () => {
  const depthOf = (value: unknown): number =>
    typeof value !== "object" || value === null ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));
  const sizeOf = (value: unknown): number => {
    if (typeof value !== "object" || value === null) return 0;
    return Object.values(value).reduce((sum: number, item) => sum + 1 + sizeOf(item), 0);
  };

  test("RPC-15 RPC-16 detects exactly whether a value is deeper or larger than allowed", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6 }),
        fc.integer({ min: 0, max: 8 }),
        fc.integer({ min: 0, max: 30 }),
        (value, depth, members) => {
          expect(withinBounds(value, depth, members)).toBe(depthOf(value) <= depth && sizeOf(value) <= members);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("RPC-15 skips text shorter than twice the depth, which cannot nest deeper", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        expect(2 * depthOf(value)).toBeLessThanOrEqual(JSON.stringify(value).length);
      }),
    );
  });

  test("RPC-15 does not overflow the stack with a hundred thousand levels", () => {
    expect(withinBounds(JSON.parse("[".repeat(1e5) + "]".repeat(1e5)), 128, 1e9)).toBe(false);
    expect(withinBounds(JSON.parse(`${'{"a":'.repeat(1e5)}1${"}".repeat(1e5)}`), 128, 1e9)).toBe(false);
  });

  test("RPC-16 stops counting at the bound", () => {
    let looked = 0;
    const values = new Proxy(
      Array.from({ length: 1000 }, () => [1]),
      { get: (target, key) => (looked++, Reflect.get(target, key)) },
    );
    expect(withinBounds(values, 10, 50)).toBe(false);
    expect(looked).toBeLessThan(10);
  });

  test("counts keys of prototypes as any other", () => {
    expect(withinBounds(JSON.parse('{"__proto__":{"__proto__":{}}}'), 3, 2)).toBe(true);
    expect(withinBounds(JSON.parse('{"__proto__":{"__proto__":{}}}'), 2, 2)).toBe(false);
  });
});

describe("texts of messages", () => {
  const id = fc.oneof(fc.string({ unit: "binary" }), fc.maxSafeInteger());
  const json = fc.dictionary(fc.string(), fc.jsonValue());
  const wellFormed = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

  test("JSON-01 STDIO-02 hold each message on one line", () => {
    fc.assert(
      fc.property(id, json, (id, value) => {
        const texts: [string, object][] = [
          [responseText(id, JSON.stringify(value)), { jsonrpc: "2.0", id, result: value }],
          [requestText(id, "some/method", value), { jsonrpc: "2.0", id, method: "some/method", params: value }],
          [requestText(id, "some/method"), { jsonrpc: "2.0", id, method: "some/method" }],
          [notificationText("some/method", value), { jsonrpc: "2.0", method: "some/method", params: value }],
          [notificationText("some/method"), { jsonrpc: "2.0", method: "some/method" }],
          [
            errorText(id, { code: -1, message: "m\n", data: value }),
            { jsonrpc: "2.0", id, error: { code: -1, message: "m\n", data: value } },
          ],
          [errorText(null, { code: -1, message: "m" }), { jsonrpc: "2.0", id: null, error: { code: -1, message: "m" } }],
        ];
        for (const [text, message] of texts) {
          expect(JSON.parse(text)).toEqual(wellFormed(message));
          expect(text).not.toMatch(/[\n\r]/);
        }
      }),
    );
  });
});
