// What connectTo shows of a handler that fails, for servers in this process.
import { expect, test } from "vitest";
import { StderrErrors } from "../../src/connection/server-errors.ts";
import { SAMPLE } from "../fixtures/sample-target.ts";
import { describeServerErrors, testSilence } from "./server-error-cases.ts";

describeServerErrors("memory", SAMPLE, "memory");
describeServerErrors("HTTP in this process", SAMPLE, "http");
testSilence(SAMPLE, ["memory", "http"]);

test("finds errors among other lines of stderr, in any pieces", () => {
  const text =
    'sample serves on stdio\nWarning: slow\n  with a tail\nError: one\n  at a\nCritical: two\n{"level":"error","msg":"three"}\nprinted\n';
  for (const size of [1, 7, text.length]) {
    const entries: string[] = [];
    const errors = new StderrErrors((entry) => entries.push(entry));
    for (let at = 0; at < text.length; at += size) errors.push(text.slice(at, at + size));
    expect(entries.join("\n")).toBe('Error: one\n  at a\nCritical: two\n{"level":"error","msg":"three"}');
  }
});
