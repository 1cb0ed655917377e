// Which confirmations have been used: in one process, and on all nodes of a service.
import { expect, test } from "vitest";
import { MemoryBackplane } from "../../../src/backplane.ts";
import { UsedConfirmations } from "../../../src/server/request/used-confirmations.ts";

test("takes a confirmation once, until it is released or its time has passed", async () => {
  const used = new UsedConfirmations(undefined, 60_000);
  expect([await used.take("a"), await used.take("a"), await used.take("b")]).toEqual([true, false, true]);
  await used.release("a");
  expect([await used.take("a"), await used.take("b")]).toEqual([true, false]);
  const expired = new UsedConfirmations(undefined, -1);
  expect([await expired.take("a"), await expired.take("a")]).toEqual([true, true]);
});

test("takes a confirmation once on all nodes together", async () => {
  const backplane = new MemoryBackplane();
  const [one, two] = [new UsedConfirmations(backplane, 60_000), new UsedConfirmations(backplane, 60_000)];
  expect(await Promise.all([one.take("a"), two.take("a")])).toEqual(expect.arrayContaining([true, false]));
  await one.release("a");
  expect([await two.take("a"), await one.take("a")]).toEqual([true, false]);
});
