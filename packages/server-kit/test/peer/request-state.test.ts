// What travels between the rounds of a request: whole for the same request, refused for everything else.
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  bindingOf,
  INITIAL_STATE,
  openRequestState,
  readInputResponses,
  sealRequestState,
  type RequestState,
  type Sealing,
} from "../../src/peer/request-state.ts";
import { Sealer } from "../../src/peer/sealer.ts";
import type { Json } from "../../src/wire/json-rpc.ts";

const MINUTE = 60_000;
const sealing = (stateMs = 15 * MINUTE, keys: readonly string[] = ["a key for the tests"]): Sealing => ({
  sealer: new Sealer(keys),
  stateMs,
});

const REQUEST = { name: "remove", arguments: { path: "a.txt", force: true } };
const BOUND = bindingOf("tools/call", REQUEST, "ada", "2026-07-28", "files");

const stateOf = (asked: Json, answered: Record<string, Json> = {}, kept: Json = {}): RequestState => ({
  requested: new Map(Object.entries(asked) as [string, string][]),
  answered: new Map(Object.entries(answered).map(([key, answer]) => [key, { request: `asked ${key}`, response: answer }])),
  onceValues: new Map(Object.entries(kept)),
});
const FULL = stateOf({ b: "Sure?" }, { a: { action: "accept", content: { x: 1 } } }, { price: 7, list: [null, "ä"] });

const REFUSED = expect.objectContaining({ code: -32602, message: expect.stringContaining("requestState") });

afterEach(() => void vi.useRealTimers());

describe("a sealed state", () => {
  test("MRTR-23 opens with any content in another process with the same key", async () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true }), json, json, async (asked, answers, kept) => {
        const original = stateOf(asked, { one: answers }, kept);
        const opened = await openRequestState(await sealRequestState(original, BOUND, sealing()), BOUND, sealing());
        expect(opened.requested).toEqual(original.requested);
        expect(JSON.stringify([...opened.answered])).toBe(JSON.stringify([...original.answered]));
        expect(JSON.stringify([...opened.onceValues])).toBe(JSON.stringify([...original.onceValues]));
      }),
    );
  });

  test("is absent in the first round of a request", async () => {
    expect(await openRequestState(undefined, BOUND, sealing())).toBe(INITIAL_STATE);
  });

  test("MRTR-16 expires after its time to live, and not before", async () => {
    vi.useFakeTimers();
    const mine = sealing(15 * MINUTE);
    const state = await sealRequestState(FULL, BOUND, mine);
    vi.setSystemTime(Date.now() + 15 * MINUTE);
    expect(await openRequestState(state, BOUND, mine)).toEqual(FULL);
    vi.setSystemTime(Date.now() + 1);
    await expect(openRequestState(state, BOUND, mine)).rejects.toEqual(REFUSED);
  });

  test("MRTR-16 restarts its time to live in each round", async () => {
    vi.useFakeTimers();
    const mine = sealing(MINUTE);
    let state = await sealRequestState(FULL, BOUND, mine);
    for (let round = 0; round < 5; round++) {
      vi.setSystemTime(Date.now() + MINUTE - 1);
      state = await sealRequestState(await openRequestState(state, BOUND, mine), BOUND, mine);
    }
    expect(await openRequestState(state, BOUND, mine)).toEqual(FULL);
  });

  test("MRTR-15 MRTR-16 opens for the very same request only", async () => {
    const state = await sealRequestState(FULL, BOUND, sealing());
    const others = {
      "another method": bindingOf("prompts/get", REQUEST, "ada", "2026-07-28", "files"),
      "another tool": bindingOf("tools/call", { ...REQUEST, name: "rename" }, "ada", "2026-07-28", "files"),
      "other arguments": bindingOf("tools/call", { ...REQUEST, arguments: { path: "b.txt", force: true } }, "ada", "2026-07-28", "files"),
      "an argument less": bindingOf("tools/call", { ...REQUEST, arguments: { path: "a.txt" } }, "ada", "2026-07-28", "files"),
      "an argument more": bindingOf(
        "tools/call",
        { ...REQUEST, arguments: { ...REQUEST.arguments, x: null } },
        "ada",
        "2026-07-28",
        "files",
      ),
      "no arguments": bindingOf("tools/call", { name: "remove" }, "ada", "2026-07-28", "files"),
      "a parameter more": bindingOf("tools/call", { ...REQUEST, task: {} }, "ada", "2026-07-28", "files"),
      "another principal": bindingOf("tools/call", REQUEST, "grace", "2026-07-28", "files"),
      "no principal": bindingOf("tools/call", REQUEST, undefined, "2026-07-28", "files"),
      "another server": bindingOf("tools/call", REQUEST, "ada", "2026-07-28", "mail"),
      "another revision": bindingOf("tools/call", REQUEST, "ada", "2027-01-01", "files"),
    };
    for (const [what, bound] of Object.entries(others))
      await expect(openRequestState(state, bound, sealing()), what).rejects.toEqual(REFUSED);
    expect(await openRequestState(state, BOUND, sealing())).toEqual(FULL);
  });

  test.each<[what: string, state: unknown]>([
    ["null", null],
    ["a number", 7],
    ["an object", { state: 1 }],
    ["a list", ["x"]],
    ["nothing", ""],
    ["words", "not a state"],
    ["more than 32 KiB", "A".repeat(32 * 1024 + 1)],
  ])("MRTR-15 MRTR-20 is refused when it is %s", async (_what, state) => {
    await expect(openRequestState(state, BOUND, sealing())).rejects.toEqual(REFUSED);
  });

  test("is refused under another key", async () => {
    const state = await sealRequestState(FULL, BOUND, sealing(MINUTE, ["the key of another server"]));
    await expect(openRequestState(state, BOUND, sealing())).rejects.toEqual(REFUSED);
  });

  test("is at most 32 KiB, and the error shows the author a remedy", async () => {
    const kept = (length: number): RequestState => stateOf({}, {}, { text: "x".repeat(length) });
    const most = await sealRequestState(kept(24_400), BOUND, sealing());
    expect(most.length).toBeLessThanOrEqual(32 * 1024);
    expect(await openRequestState(most, BOUND, sealing())).toEqual(kept(24_400));
    await expect(sealRequestState(kept(24_600), BOUND, sealing())).rejects.toThrow(/32768 bytes: .*keep less with ctx\.once/);
  });
});

describe("MRTR-16 the binding of a state", () => {
  test("ignores the order of keys, the envelope and the round", () => {
    const values = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
    fc.assert(
      fc.property(values, fc.jsonValue(), fc.jsonValue(), (args, meta, more) => {
        const one = { name: "t", arguments: args };
        const other = {
          _meta: meta,
          arguments: Object.fromEntries(Object.entries(args).reverse()),
          inputResponses: more,
          requestState: more,
          name: "t",
        };
        expect(bindingOf("tools/call", other, undefined, "r")).toBe(bindingOf("tools/call", one, undefined, "r"));
      }),
    );
  });

  test("differs between requests", () => {
    const word = fc.constantFrom("", "a", "b", "null", '","', '"],["');
    const value = fc.oneof(word, fc.constantFrom(null, 0, 1, true), fc.jsonValue({ maxDepth: 1 }));
    const params = fc.dictionary(fc.constantFrom("name", "arguments", "a", "b"), value, { noNullPrototype: true, maxKeys: 2 });
    const request = fc.tuple(word, params, fc.option(word, { nil: undefined }), word, word).map((parts) => {
      const [method, given, who, revision, server] = parts;
      return {
        bound: bindingOf(method, given, who, revision, server),
        parts: JSON.parse(JSON.stringify([...parts, who === undefined])) as unknown,
      };
    });
    fc.assert(
      fc.property(request, request, (one, other) => {
        expect(one.bound === other.bound).toBe(isDeepStrictEqual(one.parts, other.parts));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("MRTR-20 answers", () => {
  test("are read by their keys", () => {
    const answers = { a: { action: "decline" }, b: { roots: [] } };
    expect(readInputResponses(answers)).toEqual(new Map(Object.entries(answers)));
    expect(readInputResponses(undefined)).toEqual(new Map());
    expect(readInputResponses({})).toEqual(new Map());
    expect(readInputResponses(JSON.parse('{"__proto__":{"action":"accept"}}'))).toEqual(new Map([["__proto__", { action: "accept" }]]));
  });

  test.each([null, 7, "x", [], [{}], true, { a: null }, { a: 12_345 }, { a: "accept" }, { a: [] }, { a: {}, b: false }])(
    "do not include %j",
    (value) => {
      expect(() => readInputResponses(value)).toThrow(expect.objectContaining({ code: -32602 }));
    },
  );
});
