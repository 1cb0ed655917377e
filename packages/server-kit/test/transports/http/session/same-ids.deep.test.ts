// Pairs of clients use the same id at the same moment: each gets its own answer.
import { test } from "vitest";
import { meetInPairs } from "../../../support/meeting-pairs.ts";

const PAIRS = process.env["OARLOCK_LONG"] === "1" ? 10_000 : 3000;

test(`case HTTP-32 H5 keeps apart ${PAIRS} pairs of clients with id 1 in flight at once, by JSON and by stream`, () =>
  meetInPairs(PAIRS, 250));
