// Which confirmations have been used.
import { expect, test } from "vitest";
import { MemoryConfirmations } from "../../../src/runtime/request/used-confirmations.ts";

test("accepts a confirmation once, until it is released or expires", async () => {
  const used = new MemoryConfirmations(60_000);
  expect([await used.take("a"), await used.take("a"), await used.take("b")]).toEqual([true, false, true]);
  await used.release("a");
  expect([await used.take("a"), await used.take("b")]).toEqual([true, false]);
  const expired = new MemoryConfirmations(-1);
  expect([await expired.take("a"), await expired.take("a")]).toEqual([true, true]);
});
