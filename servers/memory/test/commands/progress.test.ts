// Progress of commands: what is counted.
import { expect, test } from "vitest";
import { reported, reportedLines } from "../../src/commands/progress.ts";
import { runAtOnce } from "../support/run-at-once.ts";

test("steps and lines are counted, and the work stays the same", async () => {
  const counts: number[] = [];
  const work = function* (): Generator<string, number> {
    yield "a";
    yield "b";
    return 7;
  };
  expect(runAtOnce(reported(work(), (done) => counts.push(done)))).toBe(7);
  const pieces: string[] = [];
  for await (const piece of reportedLines(["a\nb\n", "", "c\n"], (lines) => counts.push(lines))) pieces.push(piece);
  expect([pieces.join(""), counts]).toEqual(["a\nb\nc\n", [1, 2, 2, 2, 3]]);
});
