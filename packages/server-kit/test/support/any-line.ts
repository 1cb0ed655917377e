// Random lines of a client, for tests that anything may come in.
import * as fc from "fast-check";
import type { Json } from "../../src/wire/json-rpc.ts";
import { STATEFUL } from "./sample.ts";
import { CAPABILITIES, LOG_LEVEL, NEWEST, VERSION } from "./stateless-message.ts";
import { ABLE } from "./talk.ts";

/** Methods of every era, and none. */
const METHODS = [
  "initialize",
  "ping",
  "nope",
  "server/discover",
  "subscriptions/listen",
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "resources/subscribe",
  "resources/unsubscribe",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "logging/setLevel",
  "notifications/initialized",
  "notifications/cancelled",
  "notifications/roots/list_changed",
];
const id = fc.constantFrom<unknown>(1, 2, "1", "", 0, null, 1.5, {});
const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom<unknown>({ toString: 1 }, { valueOf: null }, { __proto__: 1 }));
/** A stateless message, intact or with a fault. */
const envelope = fc.record(
  {
    [VERSION]: fc.oneof({ arbitrary: fc.constant(NEWEST), weight: 6 }, fc.constantFrom<unknown>("2025-11-25", "2099-01-01", null, 7)),
    [CAPABILITIES]: fc.constantFrom<unknown>(ABLE, ABLE, {}, { elicitation: 1 }, null),
    [LOG_LEVEL]: fc.constantFrom<unknown>("debug", "error", "loud"),
    progressToken: odd,
  },
  { requiredKeys: [VERSION, CAPABILITIES] },
);
const answers = fc.constantFrom<unknown>(
  { "elicit-1": { action: "accept", content: { name: "Ada" } } },
  { "elicit-1": { action: "decline" }, roots: { roots: [] } },
  { "elicit-1": 7 },
  {},
  null,
);
const members = fc.record(
  {
    name: fc.oneof(fc.constantFrom("echo", "slow", "throws", "media", "progress", "log", "greet", "ask", "roots", "late"), odd),
    arguments: fc.oneof(
      odd,
      fc.record(
        { message: odd, what: fc.constantFrom("error", "null", "mcp"), who: fc.constant("Ada"), ms: fc.nat(3), data: odd },
        { requiredKeys: [] },
      ),
    ),
    uri: fc.oneof(fc.constantFrom("sample://text", "sample:///items/beta", "sample:///items/%", "sample://asks", "sample://fault"), odd),
    cursor: odd,
    level: odd,
    requestId: id,
    reason: odd,
    _meta: fc.oneof(odd, fc.record({ progressToken: odd }), { arbitrary: envelope, weight: 3 }),
    ref: fc.oneof(
      odd,
      fc.record({
        type: fc.constantFrom("ref/prompt", "ref/resource"),
        name: fc.constant("greet"),
        uri: fc.constant("sample:///items/{id}"),
      }),
    ),
    argument: fc.oneof(odd, fc.record({ name: fc.constantFrom("who", "id", "many", "fault"), value: fc.constant("") })),
    context: odd,
    notifications: fc.oneof(
      odd,
      fc.record(
        {
          toolsListChanged: fc.boolean(),
          resourceSubscriptions: fc.array(fc.constantFrom("sample://text", "sample:///items/beta", "nowhere://"), { maxLength: 3 }),
        },
        { requiredKeys: [] },
      ),
    ),
    inputResponses: answers,
    requestState: fc.constantFrom<unknown>("", "AAAA", 7, null),
    protocolVersion: fc.constantFrom(...STATEFUL, "x"),
    capabilities: fc.constantFrom<unknown>({}, ABLE, null, { elicitation: 1 }),
    clientInfo: fc.constantFrom<unknown>({ name: "c", version: "1" }, {}, null),
  },
  { requiredKeys: [] },
);
const params = fc.oneof(odd, members);
/** Requests that are right but for what `members` and `envelope` put into them. */
const right = fc.constantFrom<[method: string, params: Json]>(
  ...["ask", "roots", "slow", "late", "echo", "log", "sample"].map((name): [string, Json] => [
    "tools/call",
    { name, arguments: { ms: 2, message: "m" } },
  ]),
  ["resources/read", { uri: "sample://asks" }],
  ["resources/read", { uri: "sample://text" }],
  ["resources/list", {}],
  ["prompts/get", { name: "greet", arguments: { who: "Ada" } }],
  ["server/discover", {}],
  ["subscriptions/listen", { notifications: { toolsListChanged: true, resourceSubscriptions: ["sample://text"] } }],
  ["ping", {}],
);
/** Stateless requests. */
const own = fc
  .tuple(right, fc.oneof({ arbitrary: fc.constant({}), weight: 3 }, members, fc.record({ inputResponses: answers })), envelope)
  .map(([[method, given], more, _meta]) => ({ method, params: { ...given, ...more, _meta } }));

const message = fc.oneof(
  {
    arbitrary: fc.record({ jsonrpc: fc.constant("2.0"), id, method: fc.constantFrom(...METHODS), params }, { requiredKeys: ["jsonrpc"] }),
    weight: 8,
  },
  {
    arbitrary: fc
      .tuple(fc.constantFrom<unknown>(1, 2, "1", "a", "b", "c"), own)
      .map(([name, one]) => ({ jsonrpc: "2.0", id: name, ...one })),
    weight: 8,
  },
  { arbitrary: fc.record({ jsonrpc: fc.constant("2.0"), id, result: odd, error: odd }, { requiredKeys: ["jsonrpc"] }), weight: 2 },
  { arbitrary: odd, weight: 1 },
);
/** One line as it may come in: a message that is right, nearly right or wrong, several in an array, or no JSON at all. */
export const anyLine: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: message.map((one) => JSON.stringify(one)), weight: 10 },
  { arbitrary: fc.array(message, { maxLength: 4 }).map((one) => JSON.stringify(one)), weight: 2 },
  { arbitrary: fc.constantFrom("", "{", "nonsense", "[".repeat(300)), weight: 1 },
);
