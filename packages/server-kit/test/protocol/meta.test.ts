// The envelope of a stateless request, and parameters without a valid one.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasEnvelope, readEnvelope } from "../../src/protocol/meta.ts";

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const CLIENT = "io.modelcontextprotocol/clientInfo";
const LEVEL = "io.modelcontextprotocol/logLevel";
const GOOD = { [VERSION]: "2026-07-28", [CAPABILITIES]: {} };

describe("DISC-20 recognizes stateless requests", () => {
  test.each<[given: unknown, whether: boolean]>([
    [{ _meta: GOOD }, true],
    [{ _meta: { [VERSION]: null } }, true],
    [{ _meta: { [VERSION]: 7 } }, true],
    [{ _meta: { [CAPABILITIES]: {}, [CLIENT]: {} } }, false],
    [{ _meta: { protocolVersion: "2026-07-28" } }, false],
    [{ _meta: {} }, false],
    [{ _meta: null }, false],
    [{ _meta: [] }, false],
    [{ _meta: "x" }, false],
    [{ [VERSION]: "2026-07-28" }, false],
    [undefined, false],
    [[GOOD], false],
  ])("%j: %s", (params, whether) => expect(hasEnvelope(params)).toBe(whether));
});

describe("META-09 requires", () => {
  test.each<[what: string, meta: unknown, replyText: string]>([
    ["no _meta", undefined, "_meta"],
    ["null", null, "_meta"],
    ["a list", [], "_meta"],
    ["a text", "x", "_meta"],
    ["no version", { [CAPABILITIES]: {} }, VERSION],
    ["no capabilities", { [VERSION]: "2026-07-28" }, CAPABILITIES],
    ["a version that is a number", { ...GOOD, [VERSION]: 2026 }, VERSION],
    ["a version that is null", { ...GOOD, [VERSION]: null }, VERSION],
    ["capabilities that are a list", { ...GOOD, [CAPABILITIES]: [] }, CAPABILITIES],
    ["capabilities that are null", { ...GOOD, [CAPABILITIES]: null }, CAPABILITIES],
    ["capabilities that are true", { ...GOOD, [CAPABILITIES]: true }, CAPABILITIES],
    ["a client that is a text", { ...GOOD, [CLIENT]: "c" }, CLIENT],
    ["a client that is null", { ...GOOD, [CLIENT]: null }, CLIENT],
    ["a client without a version", { ...GOOD, [CLIENT]: { name: "c" } }, CLIENT],
    ["a client whose name is a number", { ...GOOD, [CLIENT]: { name: 1, version: "1" } }, CLIENT],
    ["LOG-13 an unknown level", { ...GOOD, [LEVEL]: "loud" }, LEVEL],
    ["LOG-13 a level that is null", { ...GOOD, [LEVEL]: null }, LEVEL],
    ["LOG-13 a level that is a number", { ...GOOD, [LEVEL]: 3 }, LEVEL],
  ])("%s", (_what, meta, replyText) => {
    expect(() => readEnvelope({ _meta: meta })).toThrow(
      expect.objectContaining({ code: -32602, message: expect.stringContaining(replyText) }),
    );
  });
});

describe("reads", () => {
  test("META-10 a minimal envelope", () => {
    expect(readEnvelope({ _meta: GOOD })).toEqual({ version: "2026-07-28", capabilities: {}, clientInfo: undefined, logLevel: undefined });
  });

  test("a full envelope", () => {
    const capabilities = { elicitation: { form: {} }, experimental: { x: 1 } };
    const meta = { ...GOOD, [CAPABILITIES]: capabilities, [CLIENT]: { name: "c", version: "1", icons: [] }, [LEVEL]: "warning" };
    expect(readEnvelope({ _meta: meta })).toEqual({
      version: "2026-07-28",
      capabilities,
      clientInfo: { name: "c", version: "1" },
      logLevel: "warning",
    });
  });

  test("META-01 META-17 no other keys", () => {
    const other = fc.dictionary(
      fc.oneof(
        fc.string(),
        fc.constantFrom("traceparent", "tracestate", "baggage", "io.modelcontextprotocol/new", "progressToken", "__proto__"),
      ),
      fc.jsonValue(),
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(other, (more) => {
        expect(readEnvelope({ _meta: { ...more, ...GOOD }, more })).toEqual(readEnvelope({ _meta: GOOD }));
      }),
    );
  });

  test("any version that is a text, served or not", () => {
    fc.assert(
      fc.property(fc.string(), (version) => {
        expect(readEnvelope({ _meta: { ...GOOD, [VERSION]: version } }).version).toBe(version);
      }),
    );
  });
});
