// Random parts of messages in the newest revision's shape.
import * as fc from "fast-check";
import type { Json } from "../../src/wire/json-rpc.ts";

/** A record whose members may be missing, but for those named. */
const some = (members: Record<string, fc.Arbitrary<unknown>>, required: readonly string[]): fc.Arbitrary<Json> =>
  fc.record(members, { requiredKeys: [...required] as never });

const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
const base64 = fc.base64String({ maxLength: 24 });
const uri = fc.webUrl({ withQueryParameters: false });
const mimeType = fc.constantFrom("text/plain", "image/png", "audio/wav", "application/json");
const meta = fc.dictionary(fc.constantFrom("sample.example/a", "sample.example/b"), fc.jsonValue({ maxDepth: 2 }));
const stamp = fc.constantFrom("2025-01-12T15:00:58Z", "2026-07-28T00:00:00+02:00");
const annotations = some({ audience: fc.subarray(["user", "assistant"]), priority: fc.constantFrom(0, 0.5, 1), lastModified: stamp }, []);
const icons = fc.array(some({ src: uri, mimeType, sizes: fc.constant(["48x48"]), theme: fc.constantFrom("light", "dark") }, ["src"]), {
  maxLength: 2,
});

export const anyMeta: fc.Arbitrary<Json> = some({ _meta: meta, isError: fc.boolean() }, []);

export const resources: fc.Arbitrary<Json> = some(
  { uri, name: word, title: word, description: word, mimeType, size: fc.nat(), annotations, icons, _meta: meta },
  ["uri", "name"],
);

export const templates: fc.Arbitrary<Json> = some(
  {
    uriTemplate: fc.constantFrom("a:/{x}", "file:///{+path}"),
    name: word,
    title: word,
    description: word,
    mimeType,
    annotations,
    icons,
    _meta: meta,
  },
  ["uriTemplate", "name"],
);

export const contents: fc.Arbitrary<Json> = fc.oneof(
  some({ uri, mimeType, text: fc.string({ unit: "grapheme" }), _meta: meta }, ["uri", "text"]),
  some({ uri, mimeType, blob: base64, _meta: meta }, ["uri", "blob"]),
);

const common = { annotations, _meta: meta };
const text = some({ type: fc.constant("text"), text: fc.string({ unit: "grapheme" }), ...common }, ["type", "text"]);
const media = (type: "image" | "audio"): fc.Arbitrary<Json> =>
  some({ type: fc.constant(type), data: base64, mimeType: fc.constant(`${type}/x`), ...common }, ["type", "data", "mimeType"]);

export const blocks: fc.Arbitrary<Json> = fc.oneof(
  text,
  media("image"),
  media("audio"),
  some({ type: fc.constant("resource"), resource: contents, ...common }, ["type", "resource"]),
  resources.map((resource) => ({ type: "resource_link", ...resource })),
);

const fieldSchema = fc.constantFrom<Json>(
  { type: "string" },
  { type: "integer", minimum: 0 },
  {},
  { type: "array", items: { type: "string" } },
  { anyOf: [{ type: "null" }] },
);
const objectSchema = fc
  .dictionary(fc.constantFrom("a", "b", "c"), fieldSchema)
  .chain((properties) =>
    fc
      .subarray(Object.keys(properties))
      .map((required): Json => ({ type: "object", properties, ...(required.length > 0 && { required }) })),
  );
const hints = some(
  { title: word, readOnlyHint: fc.boolean(), destructiveHint: fc.boolean(), idempotentHint: fc.boolean(), openWorldHint: fc.boolean() },
  [],
);

export const tools: fc.Arbitrary<Json> = some(
  {
    name: fc.stringMatching(/^[a-z_]{1,10}$/),
    title: word,
    description: word,
    inputSchema: objectSchema,
    outputSchema: fc.oneof(objectSchema, fc.constant<Json>({ type: "array", items: {} })),
    annotations: hints,
    icons,
    _meta: meta,
  },
  ["name", "inputSchema"],
);

export const prompts: fc.Arbitrary<Json> = some(
  {
    name: word,
    title: word,
    description: word,
    arguments: fc.array(some({ name: word, title: word, description: word, required: fc.boolean() }, ["name"]), { maxLength: 3 }),
    icons,
    _meta: meta,
  },
  ["name"],
);

const use = some(
  { type: fc.constant("tool_use"), id: word, name: word, input: fc.dictionary(word, fc.jsonValue({ maxDepth: 1 })), _meta: meta },
  ["type", "id", "name", "input"],
);
const given = some(
  { type: fc.constant("tool_result"), toolUseId: word, content: fc.array(text, { maxLength: 2 }), isError: fc.boolean(), _meta: meta },
  ["type", "toolUseId", "content"],
);
const replyText = fc.oneof(text, media("image"), media("audio"), use, given);

export const sampleRequests: fc.Arbitrary<Json> = some(
  {
    messages: fc.array(
      some(
        { role: fc.constantFrom("user", "assistant"), content: fc.oneof(replyText, fc.array(replyText, { maxLength: 3 })), _meta: meta },
        ["role", "content"],
      ),
      { maxLength: 4 },
    ),
    maxTokens: fc.integer({ min: 1, max: 1000 }),
    systemPrompt: word,
    temperature: fc.constantFrom(0, 0.5, 1),
    stopSequences: fc.array(word, { maxLength: 2 }),
    modelPreferences: some({ hints: fc.array(some({ name: word }, []), { maxLength: 2 }), costPriority: fc.constantFrom(0, 0.5, 1) }, []),
  },
  ["messages", "maxTokens"],
);

const oldAnnotations = some({ audience: fc.subarray(["user", "assistant"]), priority: fc.constantFrom(0, 1) }, []);
const oldBlocks = fc.oneof(
  some({ type: fc.constant("text"), text: word, annotations: oldAnnotations }, ["type", "text"]),
  some({ type: fc.constant("image"), data: base64, mimeType, annotations: oldAnnotations }, ["type", "data", "mimeType"]),
  some({ type: fc.constant("resource"), resource: some({ uri, text: word, mimeType }, ["uri", "text"]), annotations: oldAnnotations }, [
    "type",
    "resource",
  ]),
);
const oldListed = some({ name: word, description: word, annotations: oldAnnotations, mimeType }, ["name"]);

/** Results that the oldest revision has words for, by method. */
export const oldResults: fc.Arbitrary<[string, Json]> = fc.oneof(
  fc
    .array(some({ name: word, description: word, inputSchema: objectSchema }, ["name", "inputSchema"]))
    .map((list): [string, Json] => ["tools/list", { tools: list }]),
  fc.array(oldBlocks).map((content): [string, Json] => ["tools/call", { content, isError: true }]),
  fc.array(oldListed).map((list): [string, Json] => ["resources/list", { resources: list }]),
  fc.array(oldListed).map((list): [string, Json] => ["resources/templates/list", { resourceTemplates: list }]),
  fc.array(some({ uri, text: word, mimeType }, ["uri", "text"])).map((list): [string, Json] => ["resources/read", { contents: list }]),
  fc
    .array(some({ name: word, arguments: fc.array(some({ name: word, required: fc.boolean() }, ["name"])) }, ["name"]))
    .map((list): [string, Json] => ["prompts/list", { prompts: list }]),
  fc.array(oldBlocks.map((content) => ({ role: "user", content }))).map((messages): [string, Json] => ["prompts/get", { messages }]),
  fc.constant<[string, Json]>(["ping", {}]),
  fc.constant<[string, Json]>(["completion/complete", { completion: { values: [] } }]),
);

const titled = fc
  .uniqueArray(word, { minLength: 1, maxLength: 3 })
  .map((values) => values.map((value) => ({ const: value, title: `T ${value}` })));
const named = { title: word, description: word };
const formField = fc.oneof(
  some(
    {
      type: fc.constant("string"),
      ...named,
      minLength: fc.nat(5),
      maxLength: fc.integer({ min: 5, max: 9 }),
      format: fc.constantFrom("email", "uri", "date", "date-time"),
      default: word,
    },
    ["type"],
  ),
  some(
    {
      type: fc.constantFrom("number", "integer"),
      ...named,
      minimum: fc.nat(5),
      maximum: fc.integer({ min: 5, max: 9 }),
      default: fc.nat(9),
    },
    ["type"],
  ),
  some({ type: fc.constant("boolean"), ...named, default: fc.boolean() }, ["type"]),
  some({ type: fc.constant("string"), ...named, enum: fc.uniqueArray(word, { minLength: 1 }), default: word }, ["type", "enum"]),
  some({ type: fc.constant("string"), ...named, oneOf: titled, default: word }, ["type", "oneOf"]),
);
const severalField = fc.oneof(
  some(
    {
      type: fc.constant("array"),
      ...named,
      items: fc.constant({ type: "string", enum: ["a", "b"] }),
      minItems: fc.nat(1),
      default: fc.subarray(["a", "b"]),
    },
    ["type", "items"],
  ),
  some({ type: fc.constant("array"), ...named, items: titled.map((anyOf) => ({ anyOf })), maxItems: fc.integer({ min: 1, max: 3 }) }, [
    "type",
    "items",
  ]),
);

/** Forms as the kit asks them; with choices of several where the revision has those. */
export const forms = (several: boolean): fc.Arbitrary<Json> =>
  fc
    .dictionary(fc.stringMatching(/^[a-z]{1,6}$/), several ? fc.oneof(formField, severalField) : formField, { maxKeys: 5 })
    .chain((properties) =>
      fc
        .subarray(Object.keys(properties))
        .map((required): Json => ({ type: "object", properties, ...(required.length > 0 && { required }) })),
    );

export { fc };
