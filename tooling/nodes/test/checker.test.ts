/** The checker on records that are wrong on purpose: each kind of wrong record is found, and only then. */
import { describe, expect, test } from "vitest";
import { check } from "../src/check/checker.ts";
import { Recorder } from "../src/check/recorder.ts";
import type { CallRecord, ClientRecord, ConnectionRecord, FaultRecord } from "../src/check/records.ts";
import type { JournalLine, Step } from "../src/fixture/journal.ts";

const session: ClientRecord = { name: "c0", kind: "v1 sessions", era: "sessions", asksAgain: false, connectedAt: 0 };
const stateless: ClientRecord = { name: "c1", kind: "v2 stateless", era: "stateless", asksAgain: false, connectedAt: 0 };

const connection: ConnectionRecord = { isClosing: false, wasRefusedListener: false };

const good: CallRecord = {
  ...{ call: "c0.1", act: "steps", client: session, startedAt: 1000, endedAt: 2000, outcome: "ok" },
  ...{ expectedLogs: 3, logs: [1, 2, 3], progress: [1, 3], questions: [] },
};

const ran = (...steps: Step[]): JournalLine[] => steps.map((step) => ({ at: 1500, node: "n1", call: "c0.1", step }));
const RUN = ran("start", "effect", "log", "log", "log", "end");

function violations(
  record: Partial<CallRecord>,
  journal: readonly JournalLine[] = RUN,
  faults: readonly FaultRecord[] = [],
): readonly string[] {
  const recorder = new Recorder(0);
  recorder.calls.set("c0.1", { ...good, ...record });
  recorder.faults.push(...faults);
  return check(recorder, journal).violations;
}

test("accepts a call whose messages all arrived once", () => {
  expect(violations({})).toEqual([]);
});

test.each<[string, Partial<CallRecord>, JournalLine[]?]>([
  ["I2: steps c0.1 (v1 sessions, ran on n1, 1.0–2.0 s) got 2 of 3 messages", { logs: [1, 2] }],
  ["I2: steps c0.1 (v1 sessions, ran on n1, 1.0–2.0 s) got its messages as 1 2 2 3", { logs: [1, 2, 2, 3] }],
  ["I2: steps c0.1 (v1 sessions, ran on n1, 1.0–2.0 s) got its messages as 1 3 2", { logs: [1, 3, 2] }],
  ["I2: steps c0.1 (v1 sessions, ran on n1, 1.0–2.0 s) got its progress as 1 1", { progress: [1, 1] }],
  ["I3: steps c0.1 (v1 sessions, ran on n1, 1.0– s) has no end", { outcome: undefined as never, endedAt: undefined as never }],
  ["I3: steps c0.1 (v1 sessions, ran on n1, 1.0–2.0 s) has the result a instead of b", { wrongResult: "a instead of b" }],
  [
    "I3: steps c0.1 (v1 sessions, ran on n1, 1.0–2.0 s) took effect 2 times",
    {},
    ran("start", "effect", "effect", "log", "log", "log", "end"),
  ],
  ["I3: steps c0.1 (v1 sessions, ran on n1, 1.0–2.0 s) began 2 times", {}, ran("start", "start", "effect", "log", "log", "log", "end")],
  ["I3: steps c0.1 (v1 sessions, ran on no node, 1.0–2.0 s) succeeded without a run", {}, []],
  ["I4: steps c0.1 (v1 sessions, ran on n1, 1.0–2.0 s) was asked elicit elicit", { questions: ["elicit", "elicit"] }],
])("finds %j", (sentence, record, journal = RUN) => {
  expect(violations(record, journal)).toContain(sentence);
});

describe("an error", () => {
  const failed: Partial<CallRecord> = { outcome: "error", error: "TypeError: fetch failed", logs: [] };
  const fault = (change: Partial<FaultRecord>): FaultRecord[] => [{ kind: "kill node", node: "n1", from: 1400, to: 1600, ...change }];

  test.each<[string, FaultRecord[], Partial<CallRecord>?]>([
    ["without a fault", []],
    ["after the fault", fault({ from: 0, to: 900 })],
    ["while another node is killed", fault({ node: "n2" })],
    ["while a node is drained", fault({ kind: "drain node" })],
    ["while streams of a session break", fault({ kind: "break streams" })],
    ["without a session while the engine is away", fault({ kind: "pause engine" }), { client: stateless }],
  ])("%s is a violation", (_, faults, record = {}) => {
    expect(violations({ ...failed, ...record }, RUN, faults)).toEqual([
      expect.stringMatching(/^Error outside of faults: .*: TypeError: fetch failed$/),
    ]);
  });

  test.each<[string, FaultRecord[], Partial<CallRecord>?]>([
    ["while its node is killed", fault({})],
    ["in a session while the engine is away", fault({ kind: "pause engine" })],
    ["of a task while the engine is away", fault({ kind: "pause engine" }), { client: stateless, act: "job" }],
    ["without a session while streams break", fault({ kind: "break streams" }), { client: stateless }],
    [
      "in a session that the engine forgot",
      fault({ kind: "restart engine", from: 100, to: 200, losesData: true }),
      { error: "Error: 404", client: { ...session, connectedAt: 50 } },
    ],
  ])("%s is excused", (_, faults, record = {}) => {
    expect(violations({ ...failed, ...record }, RUN, faults)).toEqual([]);
  });
});

describe("a change", () => {
  const change = { call: "c0.1", item: "i1", startedAt: 1000, endedAt: 1010 };
  const heard = (notifiedAt: number[]): readonly string[] => {
    const recorder = new Recorder(0);
    recorder.changes.push(change);
    recorder.subscriptions.push({ client: session, connection, item: "i1", acceptedAt: 500, closedAt: 60_000, notifiedAt });
    return check(recorder, []).violations;
  };

  test("is accepted when a subscriber hears of it in time", () => {
    expect(heard([1005])).toEqual([]);
  });

  test.each([[[]], [[900]], [[9000]]])("is a violation when a subscriber hears of it at %j", (times) => {
    expect(heard(times)).toEqual([
      expect.stringMatching(
        /^I7: c0 \(v1 sessions\), subscribed to i1 from 0\.5 s, did not hear in time of 1 changes from 1\.0 to 1\.0 s; /,
      ),
    ]);
  });
});

test("finds a cancelled call that goes on", () => {
  const cancelled: Partial<CallRecord> = { act: "wait", outcome: "cancelled", cancelledAt: 1800, expectedLogs: 0, logs: [], progress: [] };
  expect(violations(cancelled, ran("start"))).toEqual(["I5: wait c0.1 (v1 sessions, ran on n1, 1.0–2.0 s) was cancelled and did not stop"]);
  expect(violations(cancelled, ran("start", "abort"))).toEqual([]);
});

describe("events of a session", () => {
  const stream = (...events: string[]): Response =>
    new Response(events.map((event) => `${event}\n\n`).join(""), {
      headers: { "content-type": "text/event-stream", "mcp-session-id": "s" },
    });

  async function received(...events: string[]): Promise<readonly string[]> {
    const recorder = new Recorder(0);
    const fetch = recorder.fetchOf(session, connection, async () => stream(...events));
    await (await fetch("http://127.0.0.1/")).text();
    return recorder.violations;
  }

  test("are accepted with an id of their own", async () => {
    expect(await received("id: 1-1", 'id: 1-2\ndata: {"method":"a"}', 'id: 1-3\ndata: {"id":1,"result":{}}')).toEqual([]);
  });

  test("are a violation when they come twice", async () => {
    const event = 'id: 1-2\ndata: {"method":"a"}';
    expect(await received(event, event)).toEqual(['I2: c0 (v1 sessions) got event 1-2 twice: {"method":"a"}']);
  });

  test("are a violation with two responses to one request", async () => {
    expect(await received('id: 1-1\ndata: {"id":1,"result":{}}', 'id: 1-2\ndata: {"id":1,"result":{}}')).toEqual([
      'I3: c0 (v1 sessions) got two responses to request 1: {"id":1,"result":{}}',
    ]);
  });
});
