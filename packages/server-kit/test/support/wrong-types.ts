// Bodies with wrong types in every known field, and judgement of what is answered to them (security case HTTP-29; rules G3, K2 and R1).
import { expect } from "vitest";
import type { Json } from "../../src/protocol.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { fc } from "./arbitrary.ts";
import { openSession, post, servesOn, type Face, type Served, type HttpResponse } from "./http-faces.ts";
import { eventually } from "./sample.ts";

const METHODS = [
  "initialize",
  "ping",
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
  "roots/list",
  "sampling/createMessage",
  "elicitation/create",
  "server/discover",
  "subscriptions/listen",
  "notifications/initialized",
  "notifications/cancelled",
  "notifications/progress",
  "notifications/message",
  "notifications/roots/list_changed",
  "notifications/elicitation/complete",
];

/** Values of every type, among them those that trip up code which takes types on trust. */
const odd = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      1.5,
      1e308,
      2 ** 53,
      "",
      "x",
      "__proto__",
      "\u0000",
      "\ud800",
      [],
      {},
      [null],
      [[]],
      { length: -1 },
      { toString: 1 },
      JSON.parse('{"then":"x"}'),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      JSON.parse('{"__proto__":{"polluted":true}}'),
      JSON.parse('{"constructor":{"prototype":{"polluted":true}}}'),
      { toJSON: "x", valueOf: null },
    ),
  },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);

/** Mostly what belongs there, so that wrong values elsewhere get far. */
const likely = (...values: unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: odd });

const some = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 5, arbitrary: fc.record(fields, { requiredKeys: [] }) }, { weight: 1, arbitrary: odd });

const meta = fc.oneof(
  { weight: 4, arbitrary: some({ progressToken: likely(1, "token"), traceparent: odd, "sample.example/x": odd }) },
  // With this key a request is one of the modern era.
  {
    weight: 1,
    arbitrary: some({
      "io.modelcontextprotocol/protocolVersion": likely("2026-07-28"),
      "io.modelcontextprotocol/clientInfo": odd,
      "io.modelcontextprotocol/clientCapabilities": odd,
    }),
  },
);

const params = some({
  _meta: meta,
  protocolVersion: likely("2025-11-25", "2025-03-26"),
  capabilities: some({ roots: odd, sampling: odd, elicitation: odd, experimental: odd, tasks: odd, extensions: odd }),
  clientInfo: some({ name: likely("c"), version: likely("1"), title: odd, icons: odd, description: odd, websiteUrl: odd }),
  name: likely("echo", "sum", "log", "fresh", "media", "progress"),
  arguments: some({ message: likely("x"), a: likely(1), b: likely(2), mode: odd, data: odd, steps: odd, total: odd, times: likely(1) }),
  uri: likely("sample://text", "sample://bytes", "file:///etc/passwd"),
  cursor: likely("MQ=="),
  level: likely("info", "debug"),
  ref: some({ type: likely("ref/prompt", "ref/resource"), name: likely("greet"), uri: likely("sample://{name}"), title: odd }),
  argument: some({ name: likely("name"), value: likely("a") }),
  context: some({ arguments: odd }),
  requestId: likely(1, "x"),
  reason: odd,
  progressToken: odd,
  progress: odd,
  total: odd,
  message: odd,
  logger: odd,
  data: odd,
  task: odd,
  inputResponses: odd,
  requestState: odd,
  notifications: odd,
  roots: odd,
});

/** Wrong one time in twenty: then nothing else of the message is looked at. */
const mostly = (right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 19, arbitrary: right }, { weight: 1, arbitrary: odd });

const envelope = {
  jsonrpc: mostly(fc.constant("2.0")),
  id: mostly(fc.constantFrom(1, "a")),
  method: mostly(fc.constantFrom(...METHODS)),
  params,
};

const message = fc.oneof(
  { weight: 6, arbitrary: fc.record(envelope) },
  { weight: 2, arbitrary: fc.record(envelope, { requiredKeys: ["jsonrpc", "method"] }) },
  {
    weight: 1,
    arbitrary: fc.record({ ...envelope, result: odd, error: some({ code: odd, message: odd, data: odd }) }, { requiredKeys: [] }),
  },
  { weight: 1, arbitrary: odd },
);

const body = fc.oneof({ weight: 9, arbitrary: message }, { weight: 1, arbitrary: fc.array(message, { maxLength: 4 }) });

/** The messages of an answer: its body, or its events; arrays of them one by one. */
function messagesOf(response: HttpResponse): Json[] {
  const isStream = response.headers.get("content-type") === "text/event-stream";
  const texts = isStream ? [...response.text.matchAll(/^data: (.+)$/gm)].map(([, text = ""]) => text) : [response.text];
  return texts.flatMap((text): Json[] => {
    const value = JSON.parse(text) as Json | Json[];
    return Array.isArray(value) ? value : [value];
  });
}

/** Every answer is one that the protocol has, and names a request that was sent, if any. */
function judge(sent: unknown, response: HttpResponse): void {
  if (response.status === 202) return expect(response.text).toBe("");
  expect([200, 400, 404]).toContain(response.status);
  const ids = [sent].flat().map((one) => (one as { id?: unknown } | null)?.id);
  const answers = messagesOf(response).filter((one) => !("method" in one));
  expect(answers.length).toBeGreaterThan(0);
  for (const answer of answers) {
    expect(answer).toMatchObject({ jsonrpc: "2.0" });
    expect("result" in answer, "an answer or an error").toBe(!("error" in answer));
    if ("error" in answer) expect(answer["error"]).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
    // HTTP refusals have no id; neither have the answers to invalid entries of an array.
    if (response.status === 200 ? answer["id"] !== null || !Array.isArray(sent) : "id" in answer) expect(ids).toContain(answer["id"]);
    if (response.status !== 200) expect(answer).toHaveProperty("error");
  }
}

/** Sends so many bodies: each gets an answer of the protocol, the next client is served, and nothing is left behind. */
export async function sendWrongTypes(face: Face, bodies: number): Promise<void> {
  await using served: Served = await face.serve(sampleServer({ limits: { callsPerSecond: 1e6 } }), { http: { sessions: 100_000 } });
  const [newer, older] = [await openSession(served, "2025-11-25"), await openSession(served, "2025-03-26")];
  const sessions = [newer, newer, older, older, {}];
  await fc.assert(
    fc.asyncProperty(body, fc.nat({ max: sessions.length - 1 }), async (sent, at) => {
      const text = JSON.stringify(sent);
      judge(JSON.parse(text), await served.send(post(text, sessions[at])));
    }),
    // Making a counterexample small would outlast the test: its seed does for that.
    { numRuns: bodies, timeout: 5000, endOnFailure: true },
  );
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  await eventually(() => served.counts().running).toBe(0);
  expect(served.counts().streams).toBe(0);
  await servesOn(served);
}
