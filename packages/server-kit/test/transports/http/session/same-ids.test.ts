// Pairs of clients use the same id at the same moment: each gets its own answer.
import { test } from "vitest";
import { meetInPairs } from "../../../support/meeting-pairs.ts";

test("case HTTP-32 H5 keeps apart 200 pairs of clients with id 1 in flight at once, by JSON and by stream", () => meetInPairs(200, 100));
