// The folded revisions: methods, facts, failures, and messages of any content in older words with nothing lost.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Failure } from "../../src/protocol/errors.ts";
import { find, negotiate, NEWEST_HANDSHAKE, REVISIONS, type Revision } from "../../src/revisions/index.ts";
import { fold, type Base } from "../../src/revisions/revision.ts";
import { isObject, type Json } from "../../src/wire/json-rpc.ts";
import { anyMeta, blocks, oldResults, prompts, resources, sampleRequests, tools } from "../support/arbitrary.ts";

const RUNS = process.env["OARLOCK_LONG"] === "1" ? 2000 : 20;

const known = (id: string): Revision => find(id)!;
const STATEFUL = REVISIONS.slice(1);
const at = (since: string, revision: string): boolean => revision >= since;

describe("the table of revisions", () => {
  test("lists the published ones, newest first", () => {
    expect(REVISIONS).toEqual(["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]);
    expect(REVISIONS.map((id) => known(id).id)).toEqual(REVISIONS);
    expect(REVISIONS.map((id) => known(id).facts)).toEqual([
      {
        era: "stateless",
        batch: false,
        argumentErrors: "result",
        elicit: true,
        elicitUrl: true,
        sampleTools: true,
        primingEvent: false,
        coreTasks: false,
      },
      {
        era: "handshake",
        batch: false,
        argumentErrors: "result",
        elicit: true,
        elicitUrl: true,
        sampleTools: true,
        primingEvent: true,
        coreTasks: true,
      },
      {
        era: "handshake",
        batch: false,
        argumentErrors: "error",
        elicit: true,
        elicitUrl: false,
        sampleTools: false,
        primingEvent: false,
        coreTasks: false,
      },
      {
        era: "handshake",
        batch: true,
        argumentErrors: "error",
        elicit: false,
        elicitUrl: false,
        sampleTools: false,
        primingEvent: false,
        coreTasks: false,
      },
      {
        era: "handshake",
        batch: false,
        argumentErrors: "error",
        elicit: false,
        elicitUrl: false,
        sampleTools: false,
        primingEvent: false,
        coreTasks: false,
      },
    ]);
  });

  test("is built once", () => {
    for (const id of REVISIONS) expect(find(id)).toBe(find(id));
  });

  test.each(["", "2025-01-01", "__proto__", "constructor", "2025-11-25 ", undefined, null, 7, ["2025-11-25"]])("does not know %j", (id) => {
    expect(find(id)).toBeUndefined();
  });

  test.each([
    ...REVISIONS.map((id) => [id, id === "2026-07-28" ? NEWEST_HANDSHAKE : id]),
    ["1999-01-01", NEWEST_HANDSHAKE],
    ["", NEWEST_HANDSHAKE],
  ])("LIFE-05 LIFE-06 LIFE-07 negotiates %j to %s", (wanted, settled) => {
    expect(negotiate(wanted).id).toBe(settled);
  });

  test("has the methods of the specification", () => {
    const lasting = [
      "tools/list",
      "tools/call",
      "resources/list",
      "resources/templates/list",
      "resources/read",
      "prompts/list",
      "prompts/get",
      "completion/complete",
    ];
    const handshake = ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"];
    expect([...known("2026-07-28").methods].sort()).toEqual([...lasting, "server/discover", "subscriptions/listen"].sort());
    for (const id of STATEFUL) expect([...known(id).methods].sort()).toEqual([...lasting, ...handshake].sort());
  });
});

describe("folding", () => {
  const say = (word: string) => (value: Json) => ({ word: `${String(value["word"] ?? "")}${word}` });
  const base: Base = {
    id: "3",
    facts: known(REVISIONS[0]!).facts,
    methods: { add: ["a", "b"] },
    stamp: (result) => ({ ...result, stamped: true }),
  };
  const folded = fold(base, [
    {
      id: "2",
      methods: { add: ["c"], drop: ["a"] },
      down: { callResult: say("2"), progress: say("2") },
      up: { b: say("2") },
      failure: (one) => ({ ...one, code: one.code * 10 }),
    },
    {
      id: "1",
      methods: { drop: ["c"] },
      facts: { batch: true },
      down: { callResult: say("1") },
      up: { b: say("1") },
      failure: (one) => ({ ...one, code: one.code + 1 }),
    },
  ]);

  test("encodes by the newer step first, and decodes by the older one first", () => {
    expect(folded.encodeResult("tools/call", {})).toEqual({ word: "21" });
    expect(folded.encodeParams("notifications/progress", {})).toEqual({ word: "2" });
    expect(folded.decodeParams("b", {})).toEqual({ word: "12" });
    expect(folded.encodeFailure("b", { kind: "other", code: 7, message: "m" })).toEqual({ error: { code: 71, message: "m" } });
  });

  test("applies methods and facts of the oldest step last", () => {
    expect(folded.id).toBe("1");
    expect([...folded.methods]).toEqual(["b"]);
    expect(folded.facts).toEqual({ ...base.facts, batch: true });
  });
});

describe("failures", () => {
  const failure = (kind: Failure["kind"], code = -32602): Failure => ({ kind, code, message: "m", data: { d: 1 } });

  test.each([
    ["2026-07-28", -32602, -32603],
    ["2025-11-25", -32002, -32042],
    ["2025-06-18", -32002, -32603],
    ["2024-11-05", -32002, -32603],
  ])("ERR-07 ERR-11 RES-06 get the codes of %s for codes that an author throws", (id, missing, url) => {
    for (const method of ["resources/read", "tools/call"]) {
      expect(known(id).encodeFailure(method, failure("other", -32002))).toEqual({ error: { code: missing, message: "m", data: { d: 1 } } });
      expect(known(id).encodeFailure(method, failure("other", -32042))).toEqual({ error: { code: url, message: "m", data: { d: 1 } } });
    }
  });

  test.each(STATEFUL)("RES-06 TOOL-10 TOOL-11 TOOL-12 in %s", (id) => {
    const say = (method: string, kind: Failure["kind"], code?: number): object => known(id).encodeFailure(method, failure(kind, code));
    const toolError = { result: { content: [{ type: "text", text: "m" }], isError: true } };
    expect(say("resources/read", "resource-not-found")).toEqual({ error: { code: -32002, message: "m", data: { d: 1 } } });
    expect(say("tools/call", "other", 429)).toEqual({ error: { code: 429, message: "m", data: { d: 1 } } });
    expect(say("tools/call", "tool", 7)).toEqual(toolError);
    expect(say("prompts/get", "tool", 7)).toEqual({ error: { code: -32603, message: "m", data: { d: 1 } } });
    expect(say("tools/call", "capability", -32021)).toEqual(toolError);
    expect(say("prompts/get", "capability", -32021)).toEqual({ error: { code: -32603, message: "m", data: { d: 1 } } });
    expect(say("tools/call", "arguments")).toEqual(
      at("2025-11-25", id) ? toolError : { error: { code: -32602, message: "m", data: { d: 1 } } },
    );
  });

  test("keep their codes in the newest revision", () => {
    expect(known("2026-07-28").encodeFailure("resources/read", failure("resource-not-found"))).toEqual({
      error: { code: -32602, message: "m", data: { d: 1 } },
    });
    expect(known("2026-07-28").encodeFailure("tools/call", failure("capability", -32021))).toEqual({
      error: { code: -32021, message: "m", data: { d: 1 } },
    });
  });
});

const HINTED = ["tools/list", "resources/list", "resources/templates/list", "resources/read", "prompts/list"];

describe("members of every result", () => {
  const hints = { ttlMs: 60_000, cacheScope: "public" };

  test.each(STATEFUL)("CACHE-01 RT-01 are absent in %s: neither type nor cache hints", (id) => {
    expect(known(id).stamp).toBeUndefined();
    for (const method of HINTED) expect(known(id).encodeResult(method, { ...hints, nextCursor: "c" })).toEqual({ nextCursor: "c" });
  });

  test.each<[title: string, result: Json, stamped: Json]>([
    ["an empty one", {}, { resultType: "complete" }],
    ["one that asks", { resultType: "input_required", inputRequests: {} }, { resultType: "input_required", inputRequests: {} }],
    ["one with its own meta", { content: [], _meta: { a: 1 } }, { resultType: "complete", content: [], _meta: { a: 1 } }],
    [
      "META-15 one that claims to be another server's",
      { _meta: { "io.modelcontextprotocol/serverInfo": { name: "other", version: "9" } } },
      { resultType: "complete" },
    ],
    ["one whose meta is none", { _meta: "x" }, { resultType: "complete" }],
  ])("RT-01 META-14 are added in the newest revision: %s", (_title, result, stamped) => {
    const before = JSON.stringify(result);
    const info = { name: "n", version: "1" };
    expect(known("2026-07-28").stamp!(result, info)).toEqual({
      ...stamped,
      _meta: { ...(stamped["_meta"] as Json | undefined), "io.modelcontextprotocol/serverInfo": info },
    });
    expect(JSON.stringify(result)).toBe(before);
  });

  test("CACHE-01 keep cache hints in the newest revision", () => {
    for (const method of HINTED) expect(known("2026-07-28").encodeResult(method, hints)).toBe(hints);
  });
});

test("returns everything unchanged for the newest revision", () => {
  fc.assert(
    fc.property(fc.array(blocks), fc.array(tools), (content, list) => {
      const result = { content, structuredContent: 7 };
      expect(known("2026-07-28").encodeResult("tools/call", result)).toBe(result);
      const listed = { tools: list };
      expect(known("2026-07-28").encodeResult("tools/list", listed)).toBe(listed);
    }),
    { numRuns: RUNS },
  );
});

describe.each(STATEFUL)("in %s", (id) => {
  const revision = known(id);

  test("returns the very same object for a message without newer members", () => {
    fc.assert(
      fc.property(oldResults, ([method, result]) => {
        const before = JSON.stringify(result);
        expect(revision.encodeResult(method, result)).toBe(result);
        expect(JSON.stringify(result)).toBe(before);
      }),
      { numRuns: RUNS },
    );
  });

  test("TOOL-16 TOOL-17 TOOL-18 loses no block of a result: texts, bytes, names and URIs stay in order", () => {
    fc.assert(
      fc.property(fc.array(blocks, { maxLength: 6 }), anyMeta, (content, more) => {
        const result = { content, ...more };
        const before = JSON.stringify(result);
        const replyText = revision.encodeResult("tools/call", result)["content"] as Json[];
        expect(JSON.stringify(result)).toBe(before);
        expect(replyText).toHaveLength(content.length);
        for (const [place, block] of content.entries())
          expect(describeError(replyText[place]!)).toEqual(expect.arrayContaining(essence(block, replyText[place]!)));
        const messages = content.map((one) => ({ role: "user", content: one }));
        expect((revision.encodeResult("prompts/get", { messages })["messages"] as Json[]).map(({ content: one }) => one)).toEqual(
          replyText,
        );
      }),
      { numRuns: RUNS },
    );
  });

  test("TOOL-42 TOOL-43 loses no member of a listed tool, resource or prompt that the revision has", () => {
    fc.assert(
      fc.property(fc.array(tools), fc.array(resources), fc.array(prompts), (someTools, someResources, somePrompts) => {
        const titled = at("2025-06-18", id);
        const keys: [string, string, Json[], string[]][] = [
          ["tools/list", "tools", someTools, ["name", "description", "inputSchema", ...(titled ? ["title", "_meta"] : [])]],
          [
            "resources/list",
            "resources",
            someResources,
            ["uri", "name", "description", "mimeType", "size", ...(titled ? ["title", "_meta", "annotations"] : [])],
          ],
          ["prompts/list", "prompts", somePrompts, ["name", "description", ...(titled ? ["title", "_meta", "arguments"] : [])]],
        ];
        for (const [method, key, given, kept] of keys) {
          const replyText = revision.encodeResult(method, { [key]: given })[key] as Json[];
          expect(replyText.map((one) => pick(one, kept))).toEqual(given.map((one) => pick(one, kept)));
        }
        const replyText = revision.encodeResult("tools/list", { tools: someTools })["tools"] as Json[];
        if (id === "2025-03-26") {
          // The title has an older home.
          expect(replyText.map(({ annotations }) => (annotations as Json | undefined)?.["title"])).toEqual(
            someTools.map(({ title, annotations }) => (annotations as Json | undefined)?.["title"] ?? title),
          );
        }
      }),
      { numRuns: RUNS },
    );
  });

  test("SAMP-08 SAMP-10 SAMP-11 loses no text of a sampling request", () => {
    fc.assert(
      fc.property(sampleRequests, (request) => {
        const replyText = revision.encodeParams("sampling/createMessage", request)["messages"] as Json[];
        const before = (request["messages"] as Json[]).flatMap(({ content }): Json[] => [content as Json | Json[]].flat());
        const after = replyText.flatMap(({ content }): Json[] => [content as Json | Json[]].flat());
        if (!at("2025-11-25", id)) expect(replyText.every(({ content }) => isObject(content))).toBe(true);
        expect(after).toHaveLength(before.length);
        for (const [place, block] of before.entries()) {
          const words = describeError(after[place]!).join(" ");
          if (typeof block["text"] === "string") expect(words).toContain(block["text"]);
          else if (block["type"] === "image") expect(words).toContain(String(block["data"]));
          else if (block["type"] === "audio") expect(words).toContain(String(block["mimeType"]));
          else if (!at("2025-11-25", id)) expect(after[place]!["text"]).toBe(JSON.stringify(block));
        }
      }),
      { numRuns: RUNS },
    );
  });
});

/** All strings in a value. */
function describeError(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(describeError);
  return isObject(value) ? Object.values(value).flatMap(describeError) : [];
}

/** What must still be there of a block; a link that became text holds its parts inside it. */
function essence(block: Json, replyText: Json): unknown[] {
  if (block["type"] === "resource_link" && replyText["type"] === "text") {
    const parts = [block["title"] ?? block["name"], block["uri"], ...(block["description"] === undefined ? [] : [block["description"]])];
    return parts.map((part) => expect.stringContaining(String(part)) as unknown);
  }
  const { resource, data, text, uri, name, mimeType } = block;
  const inner = isObject(resource) ? [resource["uri"], resource["text"], resource["blob"], resource["mimeType"]] : [];
  return [...inner, data, text, uri, name, mimeType].filter((part) => part !== undefined);
}

const pick = (value: Json, keys: readonly string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([key]) => keys.includes(key)));
