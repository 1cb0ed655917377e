// Requests of ours: ids, answers, time limits, abort.
import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { OutgoingRequests } from "../../src/peer/outgoing-requests.ts";
import type { ResponseMessage } from "../../src/wire/json-rpc.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function asking(signal?: AbortSignal) {
  const outbox = new OutgoingRequests();
  const sent: { id: number; method: string; params?: Record<string, unknown> }[] = [];
  const send = (text: string): void => void sent.push(JSON.parse(text));
  const request = (params?: Record<string, unknown>) =>
    outbox.request({ method: "elicitation/create", send, timeoutMs: 1000, ...(params && { params }), ...(signal && { signal }) });
  const answer = (message: object): void => outbox.handleResponse({ jsonrpc: "2.0", ...message } as ResponseMessage);
  return { outbox, sent, request, answer };
}

test("JSON-03 JSON-04 sends a request with a new id and returns its result", async () => {
  const { outbox, sent, request, answer } = asking();
  const waiting = [request({ a: 1 }), request()];
  expect(sent).toEqual([
    { jsonrpc: "2.0", id: 1, method: "elicitation/create", params: { a: 1 } },
    { jsonrpc: "2.0", id: 2, method: "elicitation/create" },
  ]);
  answer({ id: 2, result: { two: 2 } });
  answer({ id: 1, result: { one: 1 } });
  expect(await Promise.all(waiting)).toEqual([{ one: 1 }, { two: 2 }]);
  expect([...outbox.ids].length).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
  void request();
  expect(sent.at(-1)?.id).toBe(3);
});

describe("RPC-11 ignores responses without a pending request", () => {
  test.each([{ id: 7 }, { id: "1" }, { id: 0 }])("%o", async ({ id }) => {
    const { outbox, request, answer } = asking();
    const waiting = request();
    answer({ id, result: {} });
    answer({ id, error: { code: 1, message: "x" } });
    expect([...outbox.ids].length).toBe(1);
    answer({ id: 1, result: { right: 1 } });
    answer({ id: 1, result: { late: 1 } });
    expect(await waiting).toEqual({ right: 1 });
  });
});

describe("a refusal", () => {
  test.each([
    [{ code: -1, message: "User rejected" }, "The client refused the request: User rejected"],
    [{ code: -1, message: "x".repeat(10_000) }, `The client refused the request: ${"x".repeat(300)}`],
    [{}, /^The client refused the request: /],
    [{ message: { toString: 1 } }, /^The client refused the request: /],
    [{ message: null }, /^The client refused the request: /],
  ])("%# becomes a tool error with the client's message, if it had any", async (error, message) => {
    const { request, answer } = asking();
    const waiting = request();
    answer({ id: 1, error });
    await expect(waiting).rejects.toMatchObject({ name: "ToolError" });
    await expect(waiting).rejects.toThrow(message);
  });

  test.each([null, 7, "x", [], true])("includes a result that is not an object (%o)", async (result) => {
    const { request, answer } = asking();
    const waiting = request();
    answer({ id: 1, result });
    await expect(waiting).rejects.toThrow("expected an object");
  });
});

describe("RPC-12 a message with the id of a client request that does not answer it", () => {
  test.each([{}, { error: "x" }, { result: {}, error: { code: 1, message: "x" } }, { jsonrpc: "1.0", result: {} }])(
    "%o ends it",
    async (replyText) => {
      const { outbox, request } = asking();
      const waiting = request();
      outbox.rejectInvalid({ id: 1, ...replyText });
      await expect(waiting).rejects.toMatchObject({
        name: "ToolError",
        message: "Invalid response from the client: not a JSON-RPC message.",
      });
      expect([...outbox.ids].length).toBe(0);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  test.each([null, 1, [], {}, { id: "1" }, { id: null }, { id: 2 }, { id: 1, method: 7 }, { id: [1] }])(
    "does not end it: %o",
    (replyText) => {
      const { outbox, request } = asking();
      request().catch(() => undefined);
      outbox.rejectInvalid(replyText);
      expect([...outbox.ids].length).toBe(1);
    },
  );
});

describe("giving up", () => {
  test("CANCEL-13 cancels the request once at the time limit, and ignores late responses", async () => {
    const { outbox, sent, request, answer } = asking();
    const waiting = request();
    waiting.catch(() => undefined);
    vi.advanceTimersByTime(999);
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(1);
    await expect(waiting).rejects.toThrow("did not answer elicitation/create within 1000 ms.");
    expect(sent.slice(1)).toEqual([
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1, reason: expect.any(String) } },
    ]);
    answer({ id: 1, result: {} });
    expect([...outbox.ids].length).toBe(0);
  });

  test("CANCEL-13 throws and sends the reason of the signal, and leaves no listener", async () => {
    const controller = new AbortController();
    const { sent, request } = asking(controller.signal);
    const waiting = request();
    controller.abort(new Error("enough"));
    controller.abort(new Error("again"));
    await expect(waiting).rejects.toThrow("enough");
    expect(sent.slice(1)).toEqual([{ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1, reason: "enough" } }]);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("sends nothing for a signal that was aborted before", async () => {
    const { sent, request, outbox } = asking(AbortSignal.abort(new Error("before")));
    await expect(request()).rejects.toThrow("before");
    expect(sent).toEqual([]);
    expect([...outbox.ids].length).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("rejects every request at the end of the connection, and sends nothing", async () => {
    const controller = new AbortController();
    const { outbox, sent, request } = asking(controller.signal);
    const waiting = [request(), request()];
    outbox.close(new Error("gone"));
    expect(await Promise.allSettled(waiting)).toEqual([
      { status: "rejected", reason: new Error("gone") },
      { status: "rejected", reason: new Error("gone") },
    ]);
    expect(sent).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  test("leaves no listener and no timer after responses", async () => {
    const { signal } = new AbortController();
    const { request, answer } = asking(signal);
    for (let id = 1; id <= 100; id++) {
      const waiting = request();
      answer({ id, result: {} });
      await waiting;
    }
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
