// Long random walks: search finds a text in the same way before and after it was indexed.
import { test } from "vitest";
import { walkAtRandom } from "../../support/random-walk.ts";

test.each(process.env["OARLOCK_LONG"] === "1" ? [1, 2, 3] : [1])(
  "random walk %i: each word finds exactly the texts with it, in every state of the indexes",
  (seed) => walkAtRandom(seed, 250),
);
