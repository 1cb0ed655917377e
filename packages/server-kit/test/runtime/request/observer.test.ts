// Tests what an observer learns of requests.
import { expect, test } from "vitest";
import {
  defineServer,
  fromJsonSchema,
  linkMemory,
  tool,
  type ObservedRequest,
  type Observer,
  type RequestEnd,
} from "../../../src/index.ts";

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

test("observes each request and its outcome, and runs its handler", async () => {
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
  await expect.poll(() => seen.length).toBe(5);
  expect(seen.toSorted(([, a = ""], [, b = ""]) => a.localeCompare(b))).toEqual([
    ["initialize", undefined, "success", undefined],
    ["tools/list", undefined, "success", undefined],
    ["tools/call", undefined, "error", -32602],
    ["tools/call", "fail", "tool-error", undefined],
    ["tools/call", "succeed", "success", undefined],
  ]);
  expect(running).toBe(3);
  await link.close();
});

/** Links a server to a client that is observed, with what it sees as lines. */
function observed(revision: string, answer: (request: { id: number; method: string; params?: object }) => object) {
  const seen: string[] = [];
  const observer: Observer = {
    requestStarted: ({ method }) => ({ run: (handler) => handler(), ended: ({ outcome }) => void seen.push(`${method} ${outcome}`) }),
    clientRequestStarted: ({ id, method }) => ({
      trace: { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` },
      ended: ({ outcome, code = "" }) => void seen.push(`client ${id} ${method} ${outcome} ${code}`.trimEnd()),
    }),
    sessionStarted: (session) => {
      seen.push(`session of ${session.revision}`);
      return { ended: () => void seen.push("session ended") };
    },
  };
  const asking = tool({ name: "ask", input: anything, run: async (_, { roots }) => `${(await roots()).length} roots` });
  const server = defineServer({ name: "observed", version: "1.0.0", tools: [asking] });
  const link = linkMemory(server, { observer });
  const send = (message: object): void => link.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  link.onText = (text: string) => {
    const message = JSON.parse(text) as { id: number; method?: string; params?: object }; // of the server under test
    if (message.method !== undefined && message.id !== undefined)
      send({ id: message.id, ...answer({ ...message, method: message.method }) });
  };
  const initialize = (): void => {
    const clientInfo = { name: "t", version: "0" };
    send({ id: 1, method: "initialize", params: { protocolVersion: revision, capabilities: { roots: {} }, clientInfo } });
    send({ method: "notifications/initialized" });
  };
  return { link, send, seen, initialize };
}

test.each([
  ["success", { result: { roots: [] } }],
  ["error -32603", { error: { code: -32603, message: "no" } }],
  ["invalid", { result: 7 }],
])("observes a request to the client, which carries its trace: %s", async (end, response) => {
  const requests: object[] = [];
  const { link, send, seen, initialize } = observed("2025-11-25", ({ params = {} }) => {
    requests.push(params);
    return response;
  });
  initialize();
  send({ id: 2, method: "tools/call", params: { name: "ask", arguments: {} } });
  await expect.poll(() => seen).toContainEqual(expect.stringMatching(/^tools\/call/));
  expect(seen).toContain(`client 1 roots/list ${end}`);
  expect(requests).toEqual([{ _meta: { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` } }]);
  await link.close();
});

test("observes a session, its end, and a client request that it cuts off", async () => {
  const asked = Promise.withResolvers<void>();
  const { link, send, seen, initialize } = observed("2025-06-18", () => {
    asked.resolve();
    return { id: 99, result: {} }; // belongs to no request
  });
  send({ id: 0, method: "ping" });
  initialize();
  send({ id: 2, method: "tools/call", params: { name: "ask", arguments: {} } });
  await asked.promise;
  await link.close();
  expect(seen.slice(0, 3)).toEqual(["ping success", "session of 2025-06-18", "initialize success"]);
  expect(seen).toContain("client 1 roots/list closed");
  expect(seen.filter((line) => line === "session ended")).toHaveLength(1);
});

test("ends a failed initialize with its error", async () => {
  const { send, seen } = observed("2025-11-25", () => ({}));
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25" } });
  await expect.poll(() => seen).toEqual(["initialize error"]);
});

test.each([
  [{ toolsListChanged: true }, "success"],
  ["all of them", "error"],
])("observes a subscription until its acknowledgement: %j", async (notifications, outcome) => {
  const { link, send, seen } = observed("2026-07-28", () => ({}));
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "t", version: "0" },
  };
  send({ id: 1, method: "subscriptions/listen", params: { notifications, _meta } });
  await expect.poll(() => seen).toEqual([`subscriptions/listen ${outcome}`]);
  await link.close();
  expect(seen).toHaveLength(1);
});
