// Whatever comes in: nothing throws, and every message is ended exactly once.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Endpoint } from "../../src/endpoint/endpoint.ts";
import type { Json } from "../../src/wire/json-rpc.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { STATEFUL } from "../support/sample.ts";
import { ABLE } from "../support/talk.ts";

const METHODS = [
  "initialize",
  "ping",
  "nope",
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
const params = fc.oneof(
  odd,
  fc.record(
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
      _meta: fc.oneof(odd, fc.record({ progressToken: odd })),
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
      protocolVersion: fc.constantFrom(...STATEFUL, "x"),
      capabilities: fc.constantFrom<unknown>({}, ABLE, null, { elicitation: 1 }),
      clientInfo: fc.constantFrom<unknown>({ name: "c", version: "1" }, {}, null),
    },
    { requiredKeys: [] },
  ),
);
const message = fc.oneof(
  {
    arbitrary: fc.record({ jsonrpc: fc.constant("2.0"), id, method: fc.constantFrom(...METHODS), params }, { requiredKeys: ["jsonrpc"] }),
    weight: 8,
  },
  { arbitrary: fc.record({ jsonrpc: fc.constant("2.0"), id, result: odd, error: odd }, { requiredKeys: ["jsonrpc"] }), weight: 2 },
  { arbitrary: odd, weight: 1 },
);
const line = fc.oneof(
  { arbitrary: message.map((one) => JSON.stringify(one)), weight: 10 },
  { arbitrary: fc.array(message, { maxLength: 4 }).map((one) => JSON.stringify(one)), weight: 2 },
  { arbitrary: fc.constantFrom("", "{", "nonsense", "[".repeat(300)), weight: 1 },
);

interface Ended {
  count: number;
  texts: string[];
}

describe.each(["before the handshake", ...STATEFUL])("RPC-01 … RPC-12 any lines, %s", (when) => {
  test("each is ended once, with one well-formed answer at most for each id", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 25 }), async (lines) => {
        const endpoint = new Endpoint(sampleServer({ limits: { concurrency: 3, queue: 3, askMs: 20 } }));
        const standing: string[] = [];
        const connection = endpoint.connect({
          end: (text) => void (text !== undefined && standing.push(text)),
          note: (text) => void standing.push(text),
        });
        if (when !== "before the handshake") {
          const hello = { protocolVersion: when, capabilities: ABLE, clientInfo: { name: "c", version: "1" } };
          connection.receive(JSON.stringify({ jsonrpc: "2.0", id: "hello", method: "initialize", params: hello }));
          connection.receive('{"jsonrpc":"2.0","method":"notifications/initialized"}');
        }
        const channels: Ended[] = [];
        for (const text of lines) {
          const channel: Ended = { count: 0, texts: [] };
          channels.push(channel);
          connection.receive(text, {
            end(answer) {
              channel.count++;
              if (answer !== undefined) channel.texts.push(answer);
            },
            note: (note) => void JSON.parse(note),
          });
        }
        await connection.finish(5);
        await endpoint.close();
        expect(channels.map(({ count }) => count)).toEqual(lines.map(() => 1));
        for (const [at, { texts }] of channels.entries()) {
          const answers = texts.flatMap((text) => JSON.parse(text) as Json[] | Json) as Json[];
          const sent = parsed(lines[at]!);
          expect(answers.length).toBeLessThanOrEqual(Math.max(1, sent.length));
          for (const answer of answers) {
            expect(answer).toMatchObject({ jsonrpc: "2.0" });
            expect("result" in answer).toBe(!("error" in answer));
            if (answer["id"] !== null) expect(sent.map((one) => (one as Json | null)?.["id"])).toContainEqual(answer["id"]);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});

function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text) as unknown].flat();
  } catch {
    return [];
  }
}
