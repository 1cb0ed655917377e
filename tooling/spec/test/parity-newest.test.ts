// Messages of the kit in the stateless revision, validated by its published schema: a conversation with stateless requests,
// input rounds and subscriptions. DISC-02, DISC-03, RT-01, MRTR-03 and CACHE-02 rest on it.
import { describe, expect, test } from "vitest";
import { REVISIONS } from "@oarlock/server-kit/protocol";
import { sampleServer } from "../../../packages/server-kit/test/fixtures/sample-server.ts";
import { ModernTalk } from "../../../packages/server-kit/test/support/modern-talk.ts";
import { CAPABILITIES, LOG_LEVEL, VERSION } from "../../../packages/server-kit/test/support/stateless-message.ts";
import { ABLE } from "../../../packages/server-kit/test/support/talk.ts";
import { answers, CONVERSATION } from "./conversation.ts";
import { judge, kindOf } from "./messages.ts";
import { published, withSchemas } from "./schemas.ts";

type Json = Record<string, unknown>;

const [NEWEST = ""] = REVISIONS;
const LISTEN: Json = {
  notifications: { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true, resourceSubscriptions: ["sample://text"] },
};

/** Answers to what a round asks. */
const answersTo = (requests: Record<string, Json>): Json =>
  Object.fromEntries(
    Object.entries(requests).flatMap(([key, { method, params = {} }]) => {
      const answer = (answers as Record<string, (params: Json) => Json | undefined>)[String(method)]?.(params as Json);
      return answer === undefined ? [] : [[key, answer]];
    }),
  );

async function converse(pageSize: number): Promise<{ received: Json[]; asked: Map<unknown, string> }> {
  const client = new ModernTalk(sampleServer({ pageSize }), { capabilities: ABLE });
  const asked = new Map<unknown, string>();
  const request = async (method: string, params: Json = {}): Promise<Json> => {
    const _meta = { [LOG_LEVEL]: "debug", ...(params["_meta"] as Json | undefined) };
    const id = client.begin(method, { ...params, _meta });
    asked.set(id, method);
    const answer = await client.answer(id);
    return (answer["result"] ?? {}) as Json;
  };
  asked.set(client.begin("subscriptions/listen", LISTEN, "news"), "subscriptions/listen");
  await request("server/discover");
  await request("tools/list", { _meta: { [VERSION]: "2099-01-01" } });
  await request("tools/call", { name: "ask", arguments: {}, _meta: { [CAPABILITIES]: {} } });
  client.send("nonsense");
  client.send([]);
  for (const [method, params = {}] of CONVERSATION) {
    let result = await request(method, params);
    while (typeof result["nextCursor"] === "string") result = await request(method, { cursor: result["nextCursor"] });
    while (result["resultType"] === "input_required") {
      const { requestState, inputRequests } = result;
      result = await request(method, { ...params, requestState, inputResponses: answersTo(inputRequests as Record<string, Json>) });
    }
  }
  await client[Symbol.asyncDispose]();
  return { received: client.received, asked };
}

describe("by the published schema (MCP_SCHEMA_DIR)", withSchemas, () => {
  test("JSON-24 the validator refuses messages of other revisions", () => {
    const judged = (message: Json, method?: string): string | undefined =>
      judge(published(NEWEST), { jsonrpc: "2.0", ...message }, () => method);
    const result = { resultType: "complete", content: [] };
    expect(judged({ id: 1, result }, "tools/call")).toBeUndefined();
    expect(judged({ id: 1, result: { content: [] } }, "tools/call")).toContain("resultType");
    expect(judged({ id: 1, result: { ...result, ttlMs: 1 } }, "tools/call")).toContain("exactly");
    const round = { resultType: "input_required", requestState: "x", inputRequests: { a: { method: "roots/list" } } };
    expect(judged({ id: 1, result: round }, "tools/call")).toBeUndefined();
    expect(judged({ id: 1, result: { ...round, ttlMs: 1, cacheScope: "public" } }, "resources/read")).toContain("exactly");
    expect(judged({ id: 1, result: { ...round, inputRequests: { a: { method: "ping" } } } }, "tools/call")).toContain("as published");
    expect(judged({ id: 1, result: round }, "tools/list")).toContain("an answer to nothing");
    expect(
      judged({
        id: 1,
        method: "elicitation/create",
        params: { mode: "form", message: "m", requestedSchema: { type: "object", properties: {} } },
      }),
    ).toContain("send no requests");
    expect(judged({ id: 1, error: { code: -32022, message: "m", data: { supported: [] } } })).toContain("requested");
    expect(judged({ id: 1, error: { code: -32021, message: "m", data: { requiredCapabilities: [] } } })).toContain("as published");
  });

  test.each([2, 200])("every message of a conversation in the newest revision, %i entries a page", async (pageSize) => {
    const { received, asked } = await converse(pageSize);
    const method = (id: unknown): string | undefined => asked.get(id);
    const judged = published(NEWEST);
    for (const message of received) expect.soft(judge(judged, message, method)).toBeUndefined();
    const kinds = new Set(received.map((message) => kindOf(message, method)));
    const notes = [
      "cancelled",
      "message",
      "progress",
      "prompts/list_changed",
      "resources/list_changed",
      "resources/updated",
      "subscriptions/acknowledged",
      "tools/list_changed",
    ];
    const results = [
      "completion/complete",
      "prompts/get",
      "prompts/list",
      "resources/list",
      "resources/read",
      "resources/templates/list",
      "server/discover",
      "subscriptions/listen",
      "tools/call",
      "tools/list",
    ];
    expect([...kinds].sort()).toEqual(
      ["error", ...notes.map((note) => `notifications/${note}`), ...results.map((one) => `result of ${one}`)].sort(),
    );
    const rounds = received.filter(({ result }) => (result as Json | undefined)?.["resultType"] === "input_required");
    expect(
      new Set(
        rounds
          .flatMap(({ result }) => Object.values((result as { inputRequests: Record<string, Json> }).inputRequests))
          .map(({ method: one }) => one),
      ),
    ).toEqual(new Set(["elicitation/create", "sampling/createMessage", "roots/list"]));
  });
});
