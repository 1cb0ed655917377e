// What a thrown value becomes.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { RequestAborted } from "../../src/runtime/request/abort.ts";
import {
  invalidParams,
  isExposed,
  McpError,
  methodNotFound,
  resourceNotFound,
  toFailure,
  ToolError,
  maskError,
  describeError,
  type Report,
} from "../../src/protocol/errors.ts";

const REFERENCE = /^Internal error \(ref [0-9a-f]{4}\)$/;

describe("toFailure", () => {
  const exposed = Object.assign(new Error("for you"), { expose: true });
  test.each([
    ["an McpError", new McpError(7, "seven", { a: 1 }), { code: 7, message: "seven", data: { a: 1 }, kind: "other" }],
    ["an McpError without data", new McpError(7, "seven"), { code: 7, message: "seven", kind: "other" }],
    ["invalid params", invalidParams("no", [1]), { code: -32602, message: "no", data: [1], kind: "other" }],
    ["an unknown method", methodNotFound(), { code: -32601, message: "Method not found", kind: "other" }],
    ["a code that is none", new McpError(1.5, "half"), { code: -32603, message: "half", kind: "other" }],
    [
      "a missing resource",
      resourceNotFound("a:b"),
      { code: -32602, message: "Resource not found", data: { uri: "a:b" }, kind: "resource-not-found" },
    ],
    ["a ToolError", new ToolError("repair it"), { code: -32603, message: "repair it", kind: "other" }],
    ["any exposed error", exposed, { code: -32602, message: "for you", kind: "other" }],
  ])("keeps the message of %s", (_title, error, failure) => {
    const report = vi.fn<Report>();
    expect(toFailure(error, report)).toEqual(failure);
    expect(report).not.toHaveBeenCalled();
  });

  test.each([
    new Error("secret"),
    "secret",
    null,
    undefined,
    { message: "secret", expose: true },
    Object.assign(new Error("secret"), { expose: "yes" }),
  ])("gives the client a reference for anything else, and the log the rest (%o)", (error) => {
    const report = vi.fn<Report>();
    const failure = toFailure(error, report);
    expect(failure).toEqual({ code: -32603, message: expect.stringMatching(REFERENCE), kind: "other" });
    const [reference] = report.mock.calls[0]!;
    expect(report).toHaveBeenCalledExactlyOnceWith(reference, error);
    expect(failure.message).toContain(reference);
  });
});

test("reports nothing for the work of an aborted request", async () => {
  const report = vi.fn<Report>();
  const aborted = AbortSignal.abort(new RequestAborted("client", "no longer needed"));
  const fromNode: unknown = await sleep(1, undefined, { signal: aborted }).catch((error: unknown) => error);
  for (const error of [aborted.reason, fromNode])
    expect(toFailure(error, report)).toEqual({ code: -32603, message: "Stopped", kind: "other" });
  expect(report).not.toHaveBeenCalled();
});

test("reports work that its handler has aborted by a signal of its own", async () => {
  const report = vi.fn<Report>();
  const own = AbortSignal.abort();
  const fromNode: unknown = await sleep(1, undefined, { signal: own }).catch((error: unknown) => error);
  for (const error of [own.reason, fromNode]) expect(toFailure(error, report)).toMatchObject({ message: expect.stringMatching(REFERENCE) });
  expect(report).toHaveBeenCalledTimes(2);
});

test("describes anything that can be thrown", () => {
  expect(describeError(new Error("x"))).toContain("Error: x\n");
  expect(describeError(new ToolError("says all itself"))).toBe("says all itself");
  expect(["x", 1, null, undefined, Symbol("s")].map(describeError)).toEqual(["x", "1", "null", "undefined", "Symbol(s)"]);
  expect(describeError({ code: 7 })).toBe('{"code":7}');
  expect([Object.create(null), { n: 1n }].map(describeError)).toEqual(Array(2).fill("a value that cannot be shown"));
});

test("keeps only the message of errors made for clients", () => {
  expect(isExposed(new ToolError("x"))).toBe(true);
  expect(isExposed(new McpError(1, "x"))).toBe(false);
  expect(isExposed({ expose: true })).toBe(false);
  expect(isExposed(null)).toBe(false);
});

test("gives client and log the same reference", () => {
  let reported = "";
  const replyText = maskError("x", (reference) => (reported = reference));
  expect(replyText).toBe(`Internal error (ref ${reported})`);
});
