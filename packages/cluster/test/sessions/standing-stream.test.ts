// The standing stream of a session over several nodes: any node may be the one where the client reads it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { prompt } from "@oarlock/server-kit";
import type { Json } from "@oarlock/server-kit/protocol";
import type { Answer } from "../../../server-kit/test/support/answer.ts";
import { Nodes, RovingTalk } from "../support/nodes.ts";
import { eventually, request } from "../../../server-kit/test/support/sample.ts";
import { BOARD } from "../../../server-kit/test/support/workshop.ts";

let nodes: Nodes;

beforeAll(async () => {
  nodes = await Nodes.start(3);
});

afterAll(() => nodes[Symbol.asyncDispose]());

const changed = (feature: string): Json => ({ jsonrpc: "2.0", method: `notifications/${feature}/list_changed` });
const UPDATED: Json = { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: BOARD } };

let prompts = 0;

/** Changes the list of prompts of one node. */
const change = (node: number): void => nodes.at(node).server.prompts.add(prompt({ name: `prompt ${++prompts}`, get: () => "" }));

const subscribe = async (talk: RovingTalk, node: number, method = "subscribe"): Promise<void> => {
  expect((await (await talk.post(request(`${method} ${node}`, `resources/${method}`, { uri: BOARD }), node)).json()).result).toEqual({});
};

/** The position of the next change of the prompts behind another one. A change may be reported more than once to a client that moves. */
async function nextChange(stream: Answer, after = -1): Promise<number> {
  for (;;) {
    const { id = "", data } = await stream.event();
    const position = Number(id.split("-")[1]);
    if (data !== "" && position > after && (JSON.parse(data) as Json)["method"] === changed("prompts")["method"]) return position;
  }
}

const read = (stream: Answer): Json[] => stream.waiting.flatMap(({ data }) => (data === "" ? [] : [JSON.parse(data) as Json]));

test.each([0, 1, 2])("a change of a list on node %d reaches the readers of all nodes, once", async (node) => {
  const talks = await Promise.all([0, 1, 2].map(() => RovingTalk.open(nodes)));
  const streams = await Promise.all(talks.map((talk, at) => talk.listen(undefined, at)));
  for (const stream of streams) await stream.event();
  change(node);
  for (const stream of streams) expect(await stream.message()).toEqual(changed("prompts"));
  change(node);
  for (const stream of streams) expect(await stream.message()).toEqual(changed("prompts"));
  for (const stream of streams) {
    expect(read(stream)).toEqual([]);
    stream.drop();
  }
  for (const talk of talks) talk[Symbol.dispose]();
});

test("a client that opens the stream on another node gets it there, and the first one ends", async () => {
  using talk = await RovingTalk.open(nodes);
  const first = await talk.listen(undefined, 0);
  await first.event();
  change(1);
  const last = await nextChange(first);
  const second = await talk.listen(undefined, 1);
  expect(await first.closed).toBe("ended");
  change(2);
  expect(await nextChange(second, last)).toBeGreaterThan(last);
  second.drop();
});

test("the stream is resumed on another node without loss and without repeat", async () => {
  using talk = await RovingTalk.open(nodes);
  const first = await talk.listen(undefined, 0);
  await first.event();
  change(0);
  const seen = await nextChange(first);
  change(0);
  const missed = await nextChange(first);
  first.drop();
  const again = await talk.listen(`0-${seen}`, 1);
  expect((await again.event()).id).toBe(`0-${seen}`);
  expect(await nextChange(again)).toBe(missed);
  change(2);
  expect(await nextChange(again)).toBeGreaterThan(missed);
  again.drop();
});

test("a list that changed while no client read is reported to the next reader", async () => {
  using talk = await RovingTalk.open(nodes);
  const { id } = talk;
  change(1);
  await eventually(async () => {
    const stream = await talk.listen(undefined, 2);
    await stream.event();
    await new Promise((resolve) => setTimeout(resolve, 50));
    stream.drop();
    return read(stream).map(({ method }) => method);
  }).toContain("notifications/prompts/list_changed");
  expect(talk.id).toBe(id);
});

test("the node with the reader watches, whichever node took the subscription", async () => {
  using talk = await RovingTalk.open(nodes);
  const stream = await talk.listen(undefined, 0);
  await stream.event();
  await subscribe(talk, 1);
  await eventually(() => nodes.all.map((node) => node.watchers())).toEqual([1, 0, 0]);
  expect(await stream.message()).toEqual(UPDATED);
  nodes.at(0).touch();
  expect(await stream.message()).toEqual(UPDATED);
  await subscribe(talk, 2, "unsubscribe");
  await eventually(() => nodes.all.map((node) => node.watchers())).toEqual([0, 0, 0]);
  stream.drop();
});

test("another reader's node begins the watches, and reports each resource once", async () => {
  using talk = await RovingTalk.open(nodes);
  const first = await talk.listen(undefined, 0);
  await first.event();
  await subscribe(talk, 0);
  nodes.at(0).touch();
  expect(await first.message()).toEqual(UPDATED);
  const second = await talk.listen(undefined, 1);
  expect(await second.message()).toEqual(UPDATED);
  await eventually(() => nodes.all.map((node) => node.watchers())).toEqual([0, 1, 0]);
  nodes.at(1).touch();
  expect(await second.message()).toEqual(UPDATED);
  expect((await talk.send("DELETE")).status).toBe(204);
  await eventually(() => nodes.all.map((node) => node.watchers())).toEqual([0, 0, 0]);
});

test("a reader whose node was cut off receives everything afterwards", async () => {
  await using few = await Nodes.start(2, { nodeTimes: { leaseMs: 10_000, goneMs: 9000 } });
  using talk = await RovingTalk.open(few);
  const stream = await talk.listen(undefined, 0);
  await stream.event();
  await subscribe2(talk);
  few.at(0).link.cut();
  few.at(1).server.prompts.add(prompt({ name: "meanwhile", get: () => "" }));
  few.at(0).link.heal();
  await eventually(() => read(stream).map(({ method }) => method)).toEqual(
    expect.arrayContaining(["notifications/prompts/list_changed", "notifications/resources/updated"]),
  );
  stream.drop();
});

const subscribe2 = async (talk: RovingTalk): Promise<void> => {
  expect((await talk.post(request("s", "resources/subscribe", { uri: BOARD }), 1)).status).toBe(200);
};
