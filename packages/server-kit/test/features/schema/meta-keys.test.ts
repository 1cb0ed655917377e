// Keys that authors put into `_meta`.
import { describe, expect, test } from "vitest";
import { checkedMeta } from "../../../src/features/schema/meta-keys.ts";
import { prompt, resource, template, tool } from "../../../src/index.ts";

describe("META-02 META-03 META-04 META-05 keys", () => {
  test.each(["com.example.oarlock/etag", "com.example.mcp/etag", "dev.example/", "x.y-9/z", "a/b", "etag", "a-b_c.d9", "9", "A.B/C"])(
    "accept %s",
    (key) => {
      const meta = { [key]: 1 };
      expect(checkedMeta(meta, "x")).toBe(meta);
    },
  );

  test.each([
    "",
    "/etag",
    ".example/etag",
    "com..example/etag",
    "com.9example/etag",
    "com.example-/etag",
    "com.exa_mple/etag",
    "com.example./etag",
    "com.example/-etag",
    "com.example/etag.",
    "com.example/e tag",
    "com.example/e/tag",
    "com.example/\u00e9tag",
    "etag\n",
    "_etag",
  ])("refuse the key %j", (key) =>
    expect(() => checkedMeta({ ok: 1, [key]: 1 }, 'tool "t"')).toThrow(/^tool "t": .* is not a valid key of _meta/s),
  );

  test.each([
    "io.modelcontextprotocol/own",
    "io.modelcontextprotocol/",
    "com.mcp/own",
    "com.mcp.tools/own",
    // Only by the rule of 2025-06-18.
    "modelcontextprotocol.io/own",
    "MCP.dev/own",
    "com.example.mcp.tools/own",
  ])("keep %s for the specification", (key) => expect(() => checkedMeta({ [key]: 1 }, 'tool "t"')).toThrow("kept for the specification"));
});

test("META-02 META-05 refuses every definition whose _meta has a reserved key", () => {
  const meta = { "io.modelcontextprotocol/own": 1 };
  for (const define of [
    () => tool({ name: "t", meta, run: () => "" }).listing(),
    () => resource({ uri: "a://b", name: "r", meta, read: () => "" }),
    () => template({ uri: "a://{b}", name: "r", meta, read: () => "" }),
    () => prompt({ name: "p", meta, get: () => "" }).listing(),
  ])
    expect.soft(define).toThrow("in _meta is kept for the specification");
});
