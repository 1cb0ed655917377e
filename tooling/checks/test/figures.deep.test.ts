/** The figures of `pnpm checks:house` on the whole repository. */
import { expect, test } from "vitest";
import { figures } from "../src/house.ts";

test("counts the figures of the repository", () => {
  expect(figures().map(({ what, now }) => [what, now >= 0])).toHaveLength(15);
});
