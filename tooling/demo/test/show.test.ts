// A show of the demo: a failed step is printed and counted, and equal steps are printed once.
import { describe, expect, test } from "vitest";
import { Narrator } from "../src/narrator.ts";
import { perform, type Show, type Step } from "../src/show.ts";

describe("a show", () => {
  const holds: Step<unknown> = { title: "holds", play: async (_, say) => say("took 3 ms") };
  const breaks: Step<unknown> = { title: "breaks", play: () => Promise.reject(new Error("it did not hold")) };
  const show = (steps: readonly Step<unknown>[]): Show<AsyncDisposable> => ({
    server: "none",
    transport: "air",
    revisions: ["one", "two"],
    open: async () => ({ [Symbol.asyncDispose]: async () => undefined }),
    steps,
  });

  test("continues after a failed step and counts it", async () => {
    const lines: string[] = [];
    const narrator = new Narrator((line) => lines.push(line));
    await perform(show([breaks, holds]), narrator);
    expect([narrator.passed, narrator.failed]).toEqual([2, 2]);
    expect(lines.filter((line) => line.includes("it did not hold")).length).toBe(2);
  });

  test("prints equal steps once, ignoring numbers", async () => {
    const lines: string[] = [];
    let ms = 3;
    const takes: Step<unknown> = { title: "takes", play: async (_, say) => say(`took ${ms++} ms`) };
    await perform(show([holds, takes]), new Narrator((line) => lines.push(line)));
    expect(lines.filter((line) => line.includes("took")).length).toBe(2);
    expect(lines.at(-1)).toContain("holds and takes.");
  });
});
