// Which confirmations have been used on any node.
import { expect, test } from "vitest";
import { MemoryBackplane } from "../src/backplane.ts";
import { clusterConfirmations } from "../src/node/cluster-confirmations.ts";

test("takes a confirmation once on all nodes together", async () => {
  const backplane = new MemoryBackplane();
  const [one, two] = [clusterConfirmations(backplane, 60_000), clusterConfirmations(backplane, 60_000)];
  expect(await Promise.all([one.take("a"), two.take("a")])).toEqual(expect.arrayContaining([true, false]));
  await one.release("a");
  expect([await two.take("a"), await one.take("a")]).toEqual([true, false]);
});
