// Messages of the kit, validated by the published schema of each revision: a conversation with the sample server, and random
// content encoded for every revision. LIFE-14, LIFE-20 and the "schema-check" requirements of every area rest on it.
import { describe, expect, test } from "vitest";
import { REVISIONS } from "@oarlock/server-kit/protocol";
import { sampleServer } from "../../../packages/server-kit/test/fixtures/sample-server.ts";
import { ABLE, Talk } from "../../../packages/server-kit/test/support/talk.ts";
import { answers, CONVERSATION } from "./conversation.ts";
import { judge, kindOf } from "./messages.ts";
import { testRandomContent } from "./random-content.ts";
import { published, withSchemas } from "./schemas.ts";

type Json = Record<string, unknown>;

const [, ...STATEFUL] = REVISIONS;

async function converse(revision: string, pageSize: number): Promise<{ received: Json[]; asked: Map<unknown, string> }> {
  await using client = new Talk(sampleServer({ pageSize, followsRoots: true }), { answers });
  const asked = new Map<unknown, string>();
  const request = async (method: string, params?: Json): Promise<Json> => {
    const id = client.begin(method, params);
    asked.set(id, method);
    return client.answer(id);
  };
  await request("tools/list");
  await request("initialize", {});
  await request("initialize", { protocolVersion: revision, capabilities: ABLE, clientInfo: { name: "parity", version: "1" } });
  client.note("notifications/initialized");
  client.send("nonsense");
  client.send([]);
  client.send({ jsonrpc: "2.0", id: 1.5, method: "ping" });
  for (const [method, params] of CONVERSATION) {
    let { result } = await request(method, params);
    while (typeof (result as Json | undefined)?.["nextCursor"] === "string")
      ({ result } = await request(method, { cursor: (result as Json)["nextCursor"] }));
  }
  // A question that is withdrawn.
  const left = client.begin("tools/call", { name: "sample", arguments: { extra: { systemPrompt: "leave me" } } });
  asked.set(left, "tools/call");
  await client.settled();
  client.note("notifications/cancelled", { requestId: left });
  client.note("notifications/roots/list_changed");
  const last = client.begin("ping");
  asked.set(last, "ping");
  await client.answer(last);
  for (const { id, method } of client.received) if (method === undefined && !asked.has(id)) asked.set(id, "ping"); // of `settled`
  return { received: client.received, asked };
}

describe("by the published schema (MCP_SCHEMA_DIR)", withSchemas, () => {
  test("refuses messages of other revisions", () => {
    const tool = { name: "t", inputSchema: { type: "object" } };
    expect(published("2024-11-05").faults("Tool", tool)).toBeUndefined();
    for (const more of [{ title: "T" }, { annotations: {} }, { outputSchema: { type: "object" } }, { _meta: {} }]) {
      expect.soft(published("2024-11-05").faults("Tool", { ...tool, ...more })).toContain("exactly");
    }
    expect(published("2025-06-18").faults("Tool", { ...tool, icons: [] })).toContain("exactly");
    expect(published("2025-06-18").faults("Tool", { ...tool, inputSchema: {} })).toContain("as published");
    expect(published("2025-11-25").faults("ImageContent", { type: "image", data: "no base64!", mimeType: "image/png" })).toContain(
      "as published",
    );
    expect(published("2025-11-25").faults("Nonsense", {})).toContain("has no Nonsense");
  });

  test.each(STATEFUL.flatMap((revision) => [2, 200].map((pageSize) => [revision, pageSize] as const)))(
    "LIFE-14 LIFE-20 every message of a conversation in %s, %i entries a page",
    async (revision, pageSize) => {
      const schema = published(revision);
      const { received, asked } = await converse(revision, pageSize);
      const method = (id: unknown): string | undefined => asked.get(id);
      for (const message of received) expect.soft(judge(schema, message, method)).toBeUndefined();
      const kinds = new Set(received.map((message) => kindOf(message, method)));
      const asksPeople = revision >= "2025-06-18" ? ["elicitation/create"] : [];
      const expected = [
        "progress",
        "message",
        "cancelled",
        "resources/updated",
        "resources/list_changed",
        "tools/list_changed",
        "prompts/list_changed",
      ];
      const results = ["initialize", "ping", ...new Set(CONVERSATION.map(([one]) => one))].filter((one) => one !== "nope");
      expect([...kinds].sort()).toEqual(
        [
          ...new Set([
            ...expected.map((note) => `notifications/${note}`),
            ...asksPeople,
            "sampling/createMessage",
            "roots/list",
            "error",
            ...results.map((one) => `result of ${one}`),
          ]),
        ].sort(),
      );
    },
  );

  testRandomContent(20);
});
