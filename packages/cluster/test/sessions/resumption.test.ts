// Event streams over several nodes: what one node began is continued on another, without loss and without repeat.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../../../server-kit/test/support/answer.ts";
import { textOf } from "../../../server-kit/test/support/http-talk.ts";
import { Nodes, RovingTalk } from "../support/nodes.ts";
import { eventually, STATEFUL } from "../../../server-kit/test/support/sample.ts";
import type { Work } from "../../../server-kit/test/support/workshop.ts";
import type { Json } from "@oarlock/server-kit/protocol";

let nodes: Nodes;

beforeAll(async () => {
  nodes = await Nodes.start(3);
});

afterAll(() => nodes[Symbol.asyncDispose]());

const steps = (messages: readonly Json[]): unknown[] =>
  messages.map((message) => ("params" in message ? (message["params"] as { progress: number }).progress : textOf(message)));

async function idOf(answer: Answer): Promise<string> {
  for (;;) {
    const { id = "none", data } = await answer.event();
    if (data !== "") return id;
  }
}

interface Begun {
  work: Work;
  answer: Answer;
  ids: string[];
}

/** A call on a node, with its first steps received. */
async function begun(talk: RovingTalk, node: number, count = 3, from = nodes, name = `on ${node}`): Promise<Begun> {
  const answer = await talk.call("work", { name }, { progressToken: name }, node);
  const work = await from.at(node).work(name);
  const ids: string[] = [];
  for (let step = 1; step <= count; step++) {
    work.ctx.progress(step);
    ids.push(await idOf(answer));
  }
  return { work, answer, ids };
}

describe.each(STATEFUL)("in %s", (revision) => {
  test("a stream is continued on another node while its call runs", async () => {
    using talk = await RovingTalk.open(nodes, { revision });
    const { work, answer, ids } = await begun(talk, 0);
    answer.drop();
    work.ctx.progress(4);
    const again = await talk.listen(ids[1], 1);
    expect([again.status, again.type]).toEqual([200, "text/event-stream"]);
    expect(steps([await again.message(), await again.message()])).toEqual([3, 4]);
    again.drop();
    work.ctx.progress(5);
    const last = await talk.listen(ids[2], 2);
    expect(steps([await last.message(), await last.message()])).toEqual([4, 5]);
    work.done("done");
    expect(steps(await last.messages())).toEqual(["done"]);
    expect(await last.closed).toBe("ended");
  });

  test("a complete stream is replayed on each node, from each of its events", async () => {
    using talk = await RovingTalk.open(nodes, { revision });
    const { work, answer, ids } = await begun(talk, 2);
    work.done("done");
    await answer.closed;
    for (const [at, id] of ids.entries()) {
      for (const node of [0, 1, 2]) {
        const again = await talk.listen(id, node);
        expect.soft(steps(await again.messages())).toEqual([1, 2, 3, "done"].slice(at + 1));
      }
    }
  });

  test("a client that moves at every event gets each one once", async () => {
    using talk = await RovingTalk.open(nodes, { revision });
    const { work, answer, ids } = await begun(talk, 0, 1);
    answer.drop();
    let last = ids[0];
    for (let step = 2; step <= 12; step++) {
      work.ctx.progress(step);
      const again = await talk.listen(last, step);
      for (;;) {
        const { id, data } = await again.event();
        if (data === "") continue;
        expect(steps([JSON.parse(data) as Json])).toEqual([step]);
        last = id;
        break;
      }
      again.drop();
    }
    work.done("done");
    expect(steps(await (await talk.listen(last, 1)).messages())).toEqual(["done"]);
  });
});

test("two streams of two nodes do not mix", async () => {
  using talk = await RovingTalk.open(nodes);
  const [a, b] = [await begun(talk, 0), await begun(talk, 1)];
  for (const { answer } of [a, b]) answer.drop();
  const again = await Promise.all([talk.listen(a.ids[2], 1), talk.listen(b.ids[2], 2)]);
  for (let step = 10; step < 30; step++) for (const { work } of [a, b]) work.ctx.log.info(step);
  a.work.done("A");
  b.work.done("B");
  const messages = await Promise.all(again.map((answer) => answer.messages()));
  const data = messages.map((all) => all.map((message) => (message["params"] as { data?: unknown } | undefined)?.data ?? textOf(message)));
  const numbers = Array.from({ length: 20 }, (_, at) => at + 10);
  expect(data).toEqual([
    [...numbers, "A"],
    [...numbers, "B"],
  ]);
});

test("a stream that has ended is answered with 405 after its last event, on each node", async () => {
  using talk = await RovingTalk.open(nodes);
  const { work, answer } = await begun(talk, 0);
  work.done("done");
  await answer.closed;
  const last = answer.waiting.at(-1)?.id;
  for (const node of [0, 1, 2]) expect.soft((await talk.listen(last, node)).status).toBe(405);
});

test.each(["KEY-99", "KEY-999999999999", "99-1", "latest", "", "KEY-0x1", "__proto__", "-KEY-1"])(
  "an event id %s is refused on each node, and changes nothing",
  async (text) => {
    using talk = await RovingTalk.open(nodes);
    const { work, answer, ids } = await begun(talk, 0);
    const key = ids[0]!.split("-")[0]!;
    for (const node of [0, 1, 2]) expect.soft((await talk.listen(text.replaceAll("KEY", key), node)).status).toBe(400);
    work.done("done");
    expect(steps(await answer.messages())).toEqual(["done"]);
  },
);

test("an event that the log no longer has is a refusal, never a hole", async () => {
  using talk = await RovingTalk.open(nodes);
  const { work, answer, ids } = await begun(talk, 0);
  for (const chars of [2_500_000, 5_000_000]) {
    for (let time = 0; time < 40; time++) work.ctx.log.info("x".repeat(65_000));
    await eventually(() => answer.raw.length).toBeGreaterThan(chars);
  }
  for (const node of [0, 1, 2]) expect.soft((await talk.listen(ids[0], node)).status).toBe(400);
  work.done("done");
  expect((await answer.messages()).map(({ result }) => result).at(-1)).toBeDefined();
});

// ── nodes that end ────────────────────────────────────────────────────────────────────────────────────────────────

const gone = { error: { code: -32603, message: "The node that ran this has gone. Whether it took effect is not known." } };

/** A node that was cut off counts as gone after two seconds. */
const BRIEF = { leaseMs: 2000, renewMs: 200, goneMs: 1800 };

test("a request of a node that was killed ends with one error for every reader", async () => {
  await using few = await Nodes.start(3, { nodeTimes: BRIEF });
  using talk = await RovingTalk.open(few);
  const { answer, ids } = await begun(talk, 0, 3, few);
  few.at(0).link.cut();
  answer.drop();
  // Two readers on two nodes, while the lease still runs.
  const readers = await Promise.all([talk.listen(ids[0], 1), talk.listen(ids[2], 2)]);
  const messages = await Promise.all(readers.map((reader) => reader.messages()));
  expect(messages.map((all) => all.slice(0, -1)).map(steps)).toEqual([[2, 3], []]);
  for (const all of messages) expect(all.at(-1)).toMatchObject(gone);
  const again = await talk.listen(ids[2], 1);
  expect(await again.messages()).toMatchObject([gone]);
});

test.each([
  ["as it knows by its clock", BRIEF],
  ["as it learns when it adds to the stream", { ...BRIEF, goneMs: 60_000 }],
])("a node that was away for longer than its lease, %s, drops the work that another one has ended", async (_how, nodeTimes) => {
  await using few = await Nodes.start(2, { nodeTimes });
  using talk = await RovingTalk.open(few);
  const { answer, ids, work } = await begun(talk, 0, 3, few);
  few.at(0).link.cut();
  const again = await talk.listen(ids[2], 1);
  expect(await again.messages()).toMatchObject([gone]);
  few.at(0).link.heal();
  work.ctx.progress(4);
  work.done("too late");
  await answer.messages();
  expect(answer.raw).not.toContain("too late");
  expect(await (await talk.listen(ids[2], 0)).messages()).toMatchObject([gone]);
});

test("a node that was cut off for less than its lease loses nothing", async () => {
  await using few = await Nodes.start(2, {
    nodeTimes: { leaseMs: 10_000, goneMs: 9000, renewMs: 100, responseWaitMs: 5000, lingerMs: 5000 },
  });
  using talk = await RovingTalk.open(few);
  for (const at of ["before", "after"] as const) {
    const { answer, work } = await begun(talk, 0, 3, few, `cut ${at}`);
    few.at(0).link.cut(at);
    for (const step of [4, 5]) work.ctx.log.info(step);
    work.done("done");
    await new Promise((resolve) => setTimeout(resolve, 300));
    few.at(0).link.heal();
    const messages = await answer.messages();
    expect(messages.map((message) => (message["params"] as { data?: unknown } | undefined)?.data ?? textOf(message))).toEqual([
      4,
      5,
      "done",
    ]);
    expect(answer.waiting.every(({ id }) => id !== undefined)).toBe(true);
  }
});

test("the answer of a stream is sent without an event id when the backplane stays away", async () => {
  await using few = await Nodes.start(1, { nodeTimes: { leaseMs: 20_000, goneMs: 19_000, responseWaitMs: 200 } });
  using talk = await RovingTalk.open(few);
  const { answer, work } = await begun(talk, 0, 1, few);
  few.at(0).link.cut();
  work.done("done");
  await answer.closed;
  const { id, data } = answer.waiting.at(-1)!;
  expect([id, textOf(JSON.parse(data) as Json)]).toEqual([undefined, "done"]);
});
