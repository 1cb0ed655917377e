// The protocol by which a stream changes its owner, walked at random (400 walks).
import { test } from "vitest";
import { walkTakeOvers } from "../support/take-over-walk.ts";

test("each of 400 walks ends its stream once, with all before it in order", () => walkTakeOvers(400));
