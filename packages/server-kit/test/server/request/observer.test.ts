// Tests what an observer learns of requests.
import { expect, test } from "vitest";
import { defineServer, fromJsonSchema, linkMemory, tool, type ObservedRequest, type RequestEnd } from "../../../src/index.ts";

const anything = fromJsonSchema<object>({ type: "object" }, () => undefined);
const tools = [
  tool({ name: "succeed", input: anything, run: () => "done" }),
  tool({
    name: "fail",
    input: anything,
    async run() {
      await Promise.resolve();
      throw new Error("hidden details");
    },
  }),
];

test("an observer learns of each request and how it ended, and runs its handler", async () => {
  const seen: [ObservedRequest["method"], string | undefined, RequestEnd["outcome"], number | undefined][] = [];
  let running = 0;
  const server = defineServer({ name: "observed", version: "1.0.0", tools });
  const answers: string[] = [];
  const link = linkMemory(server, {
    observer: {
      requestStarted: ({ method, target }) => ({
        run: (handler) => {
          running++;
          return handler();
        },
        ended: ({ outcome, code, message = "" }) => {
          expect(message).not.toContain("hidden");
          seen.push([method, target, outcome, code]);
        },
      }),
    },
  });
  link.onText = (text: string) => void answers.push(text);
  const send = (message: object): void => link.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  send({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "0" } },
  });
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/list" });
  send({ id: 3, method: "tools/call", params: { name: "succeed", arguments: {} } });
  send({ id: 4, method: "tools/call", params: { name: "fail", arguments: {} } });
  send({ id: 5, method: "tools/call", params: { name: "made_up", arguments: {} } });
  await expect.poll(() => seen.length).toBe(4);
  expect(seen.toSorted(([, a = ""], [, b = ""]) => a.localeCompare(b))).toEqual([
    ["tools/list", undefined, "success", undefined],
    ["tools/call", undefined, "error", -32602],
    ["tools/call", "fail", "tool-error", undefined],
    ["tools/call", "succeed", "success", undefined],
  ]);
  expect(running).toBe(3);
  await link.close();
});
