// Which parts a message has: each is brought into the shape of an older revision.
import { expect, test } from "vitest";
import { find } from "../../src/revisions/index.ts";
import type { Json } from "../../src/wire/json-rpc.ts";

const hints = { ttlMs: 60_000, cacheScope: "public" };
const audio = { type: "audio", data: "AAAA", mimeType: "audio/wav" };
const olderAudio = { type: "resource", resource: { uri: "urn:mcp:audio", mimeType: "audio/wav", blob: "AAAA" } };

test.each<[method: string, newest: Json, oldest: Json]>([
  [
    "initialize",
    { capabilities: { tools: {}, completions: {} }, serverInfo: { name: "n", version: "1", title: "T", icons: [] } },
    { capabilities: { tools: {} }, serverInfo: { name: "n", version: "1" } },
  ],
  ["tools/list", { tools: [{ name: "t", title: "T", annotations: {} }], ...hints }, { tools: [{ name: "t" }] }],
  ["tools/call", { content: [audio], structuredContent: {} }, { content: [olderAudio] }],
  ["resources/list", { resources: [{ uri: "a:", title: "T", icons: [] }], ...hints }, { resources: [{ uri: "a:" }] }],
  [
    "resources/templates/list",
    { resourceTemplates: [{ uriTemplate: "a:{b}", _meta: {} }] },
    { resourceTemplates: [{ uriTemplate: "a:{b}" }] },
  ],
  ["resources/read", { contents: [{ uri: "a:", text: "t", _meta: {} }], ...hints }, { contents: [{ uri: "a:", text: "t" }] }],
  [
    "prompts/list",
    { prompts: [{ name: "p", title: "T", arguments: [{ name: "a", title: "A" }] }] },
    { prompts: [{ name: "p", arguments: [{ name: "a" }] }] },
  ],
  ["prompts/get", { messages: [{ role: "user", content: audio }] }, { messages: [{ role: "user", content: olderAudio }] }],
  ["completion/complete", { completion: { values: ["title"] }, title: "T" }, { completion: { values: ["title"] }, title: "T" }],
])("LIFE-20 has the shapes of the oldest revision in a result of %s", (method, newest, oldest) => {
  expect(find("2024-11-05")!.encodeResult(method, newest)).toEqual(oldest);
});

test.each<[method: string, newest: Json, older: Json]>([
  ["notifications/progress", { progressToken: 1, progress: 1, message: "m" }, { progressToken: 1, progress: 1 }],
  ["notifications/message", { level: "info", message: "m", data: audio }, { level: "info", message: "m", data: audio }],
  [
    "sampling/createMessage",
    { messages: [{ role: "user", content: [audio] }], tools: [] },
    { messages: [{ role: "user", content: { type: "text", text: "[audio, audio/wav]" } }] },
  ],
])("LIFE-20 has the shapes of the oldest revision in the params of %s", (method, newest, older) => {
  expect(find("2024-11-05")!.encodeParams(method, newest)).toEqual(older);
});

test("LIFE-20 has the shape of 2025-06-18 in the params of a form", () => {
  const form = (field: Json): Json => ({ message: "m", requestedSchema: { type: "object", properties: { a: field } } });
  const params = { mode: "form", ...form({ type: "string", default: "x" }) };
  expect(find("2025-06-18")!.encodeParams("elicitation/create", params)).toEqual(form({ type: "string" }));
});

test("COMP-09 decodes params of other methods unchanged", () => {
  const params = { ref: {}, context: {} };
  expect(find("2025-03-26")!.decodeParams("completion/complete", params)).toEqual({ ref: {} });
  expect(find("2025-03-26")!.decodeParams("tools/call", params)).toBe(params);
});
