// The protocol by which a stream changes its owner, walked at random (50 walks).
import { test } from "vitest";
import { walkTakeOvers } from "../support/take-over-walk.ts";

test("each of 50 walks ends its stream once, with all before it in order", () => walkTakeOvers(50));
