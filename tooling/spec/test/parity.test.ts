// Messages of the kit, validated by the published schema of each revision: a conversation with the sample server, and random
// content encoded for every revision. LIFE-14, LIFE-20 and the "schema-check" requirements of every area rest on it.
import { describe, expect, test } from "vitest";
import { REVISIONS, findRevision, type Revision } from "@oarlock/server-kit/protocol";
import { sampleServer } from "../../../packages/server-kit/test/fixtures/sample-server.ts";
import {
  blocks,
  contents,
  fc,
  forms,
  prompts,
  resources,
  sampleRequests,
  templates,
  tools,
} from "../../../packages/server-kit/test/support/arbitrary.ts";
import { ABLE, Talk } from "../../../packages/server-kit/test/support/talk.ts";
import { answers, CONVERSATION } from "./conversation.ts";
import { judge, kindOf } from "./messages.ts";
import { published, SCHEMA_DIR, type Published } from "./schemas.ts";

type Json = Record<string, unknown>;

const [NEWEST = "", ...STATEFUL] = REVISIONS;
const known = (id: string): Revision => findRevision(id)!;

if (SCHEMA_DIR === undefined) console.warn("parity: MCP_SCHEMA_DIR is not set, so nothing is checked against the published schemas");

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

describe.skipIf(SCHEMA_DIR === undefined)("by the published schema (MCP_SCHEMA_DIR)", () => {
  const schemas = new Map<string, Published>();
  const schemaOf = (revision: string): Published => {
    const schema = schemas.get(revision) ?? published(revision, SCHEMA_DIR ?? "");
    schemas.set(revision, schema);
    return schema;
  };

  test("the validator refuses messages of other revisions", () => {
    const tool = { name: "t", inputSchema: { type: "object" } };
    expect(schemaOf("2024-11-05").faults("Tool", tool)).toBeUndefined();
    for (const more of [{ title: "T" }, { annotations: {} }, { outputSchema: { type: "object" } }, { _meta: {} }]) {
      expect.soft(schemaOf("2024-11-05").faults("Tool", { ...tool, ...more })).toContain("exactly");
    }
    expect(schemaOf("2025-06-18").faults("Tool", { ...tool, icons: [] })).toContain("exactly");
    expect(schemaOf("2025-06-18").faults("Tool", { ...tool, inputSchema: {} })).toContain("as published");
    expect(schemaOf("2025-11-25").faults("ImageContent", { type: "image", data: "no base64!", mimeType: "image/png" })).toContain(
      "as published",
    );
    expect(schemaOf("2025-11-25").faults("Nonsense", {})).toContain("has no Nonsense");
  });

  test.each(STATEFUL.flatMap((revision) => [2, 200].map((pageSize) => [revision, pageSize] as const)))(
    "LIFE-14 LIFE-20 every message of a conversation in %s, %i entries a page",
    async (revision, pageSize) => {
      const schema = schemaOf(revision);
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

  const outgoing = (revision: string, method: string, params: Json): void => {
    const message = { jsonrpc: "2.0", id: 1, method, params: known(revision).encodeParams(method, params) };
    expect(judge(schemaOf(revision), message, () => undefined)).toBeUndefined();
  };

  describe.each(STATEFUL)("random content in %s", (revision) => {
    const result = (method: string, name: string, value: Json): void => {
      expect(schemaOf(revision).faults(name, known(revision).encodeResult(method, value))).toBeUndefined();
    };
    const lists: [string, string, fc.Arbitrary<Json>][] = [
      ["tools/list", "ListToolsResult", fc.array(tools).map((list) => ({ tools: list }))],
      ["tools/call", "CallToolResult", fc.array(blocks).map((content) => ({ content, structuredContent: { a: 1 } }))],
      ["tools/call", "CallToolResult", fc.jsonValue().map((structuredContent) => ({ content: [], structuredContent }))],
      ["resources/list", "ListResourcesResult", fc.array(resources).map((list) => ({ resources: list }))],
      ["resources/templates/list", "ListResourceTemplatesResult", fc.array(templates).map((list) => ({ resourceTemplates: list }))],
      ["resources/read", "ReadResourceResult", fc.array(contents).map((list) => ({ contents: list }))],
      ["prompts/list", "ListPromptsResult", fc.array(prompts).map((list) => ({ prompts: list }))],
      ["prompts/get", "GetPromptResult", fc.array(blocks).map((all) => ({ messages: all.map((content) => ({ role: "user", content })) }))],
    ];
    test.each(lists)("%s: %s", (method, name, values) => {
      fc.assert(
        fc.property(values, (value) => result(method, name, value)),
        { numRuns: 200 },
      );
    });

    test("SAMP-08 SAMP-10 SAMP-11 SAMP-12 random sampling requests", () => {
      const plain =
        revision >= "2025-11-25" ? sampleRequests : sampleRequests.map(({ tools: _tools, toolChoice: _choice, ...rest }) => rest);
      fc.assert(
        fc.property(plain, (params) => outgoing(revision, "sampling/createMessage", params)),
        { numRuns: 200 },
      );
    });
  });

  test.each(STATEFUL.filter((revision) => revision >= "2025-06-18"))(
    "ELIC-08 ELIC-09 ELIC-10 ELIC-11 ELIC-13 random elicitations in %s",
    (revision) => {
      const several = revision >= "2025-11-25";
      fc.assert(
        fc.property(forms(several), (requestedSchema) => {
          outgoing(revision, "elicitation/create", { mode: "form", message: "m", requestedSchema });
        }),
        { numRuns: 200 },
      );
      if (several) outgoing(revision, "elicitation/create", { mode: "url", message: "m", url: "https://sample.example/" });
    },
  );

  test.each<[string, fc.Arbitrary<Json>]>([
    ["Tool", tools],
    ["ContentBlock", blocks],
    ["Resource", resources],
    ["ResourceTemplate", templates],
    ["Prompt", prompts],
    ["CreateMessageRequestParams", sampleRequests],
  ])("the kit's own vocabulary is that of the newest revision: %s", (name, values) => {
    fc.assert(
      fc.property(values, (value) => {
        expect(schemaOf(NEWEST).faults(name, value)).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });
});
