// Classification of incoming messages.
import { describe, expect, test } from "vitest";
import { classify, expectsAnswer } from "../../src/runtime/classify.ts";

const ENVELOPE = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} } };
const request = { jsonrpc: "2.0", id: 1, method: "ping" };
const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
const response = { jsonrpc: "2.0", id: 1, result: {} };

describe("a single message", () => {
  test.each([
    ["request", request, false, true],
    ["request", { ...request, params: ENVELOPE }, true, true],
    ["notification", notification, false, false],
    ["notification", { ...notification, params: ENVELOPE }, true, false],
    ["response", response, false, false],
    ["bad-params", { ...request, params: [] }, false, true],
    ["ignored", { ...notification, params: "none" }, false, false],
    ["invalid", { ...request, jsonrpc: "1.0" }, false, false],
    ["invalid", 1, false, false],
  ])("is a %s: %j", (kind, value, isStateless, answered) => {
    const message = classify(value);
    expect(message).toEqual({ kind, value, isStateless });
    expect(expectsAnswer(message)).toBe(answered);
  });
});

describe("a batch", () => {
  test.each<[string, unknown[], string[], boolean]>([
    ["without messages is answered", [], [], true],
    ["with a request is answered", [notification, request], ["notification", "request"], true],
    ["with an invalid message is answered", [notification, 1], ["notification", "invalid"], true],
    ["of notifications and responses is not answered", [notification, response], ["notification", "response"], false],
    ["does not nest", [[request]], ["invalid"], true],
  ])("%s", (_title, value, kinds, answered) => {
    const message = classify(value);
    expect([message.kind, message.isStateless, expectsAnswer(message)]).toEqual(["batch", false, answered]);
    expect(message.kind === "batch" && message.messages.map(({ kind }) => kind)).toEqual(kinds);
  });
});
