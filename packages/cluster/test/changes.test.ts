// Changes between nodes: what changes on one node reaches the subscription streams of all.
import { expect, test } from "vitest";
import { eventually } from "../../server-kit/test/support/sample.ts";
import { shopNodes } from "./support/shop-nodes.ts";
import { BOARD, DESK } from "../../server-kit/test/support/stateless-shop.ts";

const LISTS = { toolsListChanged: true };
const TOOLS = "notifications/tools/list_changed";
const UPDATED = "notifications/resources/updated";

test("sends a change of a list to the listeners of every node once", async () => {
  await using nodes = await shopNodes(3);
  const listeners = await Promise.all(nodes.all.map((node) => node.listen(LISTS)));
  for (const [at, node] of nodes.all.entries()) node.growTools(`tool-${at}`);
  for (const listener of listeners) {
    for (const _node of nodes.all) expect(await listener.message()).toMatchObject({ method: TOOLS });
    listener.drop();
  }
  for (const listener of listeners) expect(listener.waiting).toEqual([]);
});

test("sends a change that only one node notices to the listeners of every node", async () => {
  await using nodes = await shopNodes(3);
  const [first, second, third] = nodes.all;
  const listener = await first!.listen({ resourceSubscriptions: [BOARD] });
  await eventually(() => [second!.shop.watchers(BOARD), third!.shop.watchers(BOARD)]).toEqual([1, 1]);
  third!.shop.touch(BOARD);
  expect(await listener.message()).toMatchObject({ method: UPDATED, params: { uri: BOARD } });
  third!.shop.touch(DESK);
  first!.shop.touch(BOARD);
  expect(await listener.message()).toMatchObject({ method: UPDATED, params: { uri: BOARD } });
  listener.drop();
});

test("lets a node that starts later take part in the watches of the others", async () => {
  await using nodes = await shopNodes(1);
  const listener = await nodes.all[0]!.listen({ resourceSubscriptions: [BOARD] });
  await using later = await shopNodes(1, {}, nodes.connect);
  const [node] = later.all;
  await eventually(() => node!.shop.watchers(BOARD)).toBe(1);
  node!.shop.touch(BOARD);
  expect(await listener.message()).toMatchObject({ method: UPDATED });
  listener.drop();
});

test("serves own listeners while the backplane is away", async () => {
  await using nodes = await shopNodes(1);
  const [node] = nodes.all;
  node!.link.cut();
  const listener = await node!.listen({ ...LISTS, resourceSubscriptions: [BOARD] });
  node!.growTools("more");
  expect(await listener.message()).toMatchObject({ method: TOOLS });
  node!.shop.touch(BOARD);
  expect(await listener.message()).toMatchObject({ method: UPDATED });
  listener.drop();
});

test("sends each subscribed change once to listeners whose node has missed messages", async () => {
  await using nodes = await shopNodes(2);
  const [here, there] = nodes.all;
  const listener = await there!.listen({ ...LISTS, resourceSubscriptions: [BOARD, DESK] });
  there!.link.cut();
  here!.growTools("one");
  await eventually(() => there!.link.lost).toBeGreaterThan(0);
  there!.link.heal();
  expect([await listener.message(), await listener.message(), await listener.message()]).toMatchObject([
    { method: TOOLS },
    { method: UPDATED, params: { uri: BOARD } },
    { method: UPDATED, params: { uri: DESK } },
  ]);
  here!.growTools("two");
  expect(await listener.message()).toMatchObject({ method: TOOLS });
  expect(listener.waiting).toEqual([]);
  listener.drop();
});
