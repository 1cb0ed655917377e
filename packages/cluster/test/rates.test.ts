// Rates over several nodes: the calls of one caller count together, whichever nodes serve them.
import { expect, test } from "vitest";
import { MemoryBackplane } from "../src/backplane.ts";
import type { ServeHttpOptions } from "@oarlock/server-kit/node";
import { clusterRates } from "../src/node/cluster-rates.ts";
import { BackplaneLink } from "./support/backplane-link.ts";
import { shopNodes, type ShopNode } from "./support/shop-nodes.ts";

const RATE = 20;
const NODES = 3;
/** Nodes may hold this much of a portion each. */
const OVERRUN = NODES * Math.max(1, RATE / 20);

const OPTIONS: ServeHttpOptions = {
  limits: { callsPerSecond: RATE },
  auth: { check: async (token) => ({ principal: token, scopes: ["*"], claims: {} }) },
};

/** Calls a tool on the nodes in turn; gives how many calls were served. */
async function served(nodes: readonly ShopNode[], count: number, token: string): Promise<number> {
  const calls = Array.from({ length: count }, (_value, at) =>
    nodes[at % nodes.length]!.place.call("echo", { message: "hello" }, { id: at, token }),
  );
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  return statuses.filter((status) => status === 200).length;
}

test("counts the calls of a caller on all nodes together", async () => {
  await using nodes = await shopNodes(NODES, OPTIONS);
  const start = performance.now();
  const one = await served(nodes.all, 5 * RATE, "ada");
  const limit = RATE * (1 + (performance.now() - start) / 1000) + OVERRUN;
  expect(one).toBeGreaterThanOrEqual(RATE);
  expect(one).toBeLessThanOrEqual(limit);
  expect(await served(nodes.all, 3, "grace")).toBe(3);
});

test("counts on each node by itself while the backplane is away", async () => {
  await using nodes = await shopNodes(NODES, OPTIONS);
  for (const { link } of nodes.all) link.cut();
  expect(await served(nodes.all, 2 * NODES, "ada")).toBe(2 * NODES);
  const start = performance.now();
  const more = await served(nodes.all, 5 * NODES * RATE, "ada");
  expect(more).toBeLessThanOrEqual(NODES * RATE * (1 + (performance.now() - start) / 1000));
});

test("takes larger portions the more a caller calls, and no token that a slow caller does not use", async () => {
  const link = new BackplaneLink(new MemoryBackplane());
  const rates = clusterRates(link, 1000);
  for (let count = 0; count < 500; count++) expect(await rates.take("ada")).toBe(true);
  expect(link.calls["take"]).toBeLessThan(50);
  expect(await rates.take("grace")).toBe(true);
  expect(await clusterRates(link, 1000).take("grace")).toBe(true);
});

test("allows calls that arrive while another one asks the backplane", async () => {
  const rates = clusterRates(new MemoryBackplane(), 1000);
  expect(await rates.take("ada")).toBe(true);
  const calls = Array.from({ length: 20 }, async () => rates.take("ada"));
  expect(await Promise.all(calls)).toEqual(calls.map(() => true));
});
