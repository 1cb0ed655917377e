// Progress of long work: a bar on a terminal, lines elsewhere. Only time is set forward.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ProgressOutput } from "../src/index.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

function outputTo(isTTY: boolean): { output: ProgressOutput; written: () => string } {
  let text = "";
  const output = new ProgressOutput({ isTTY, write: (piece: string | Uint8Array) => ((text += String(piece)), true) });
  return { output, written: () => text };
}

test("draws a bar on a terminal, which the next line replaces", () => {
  const { output, written } = outputTo(true);
  vi.advanceTimersByTime(100);
  output.report("Records imported", 1500, 3000);
  output.report("Records imported", 1501, 3000);
  output.writeLine("Imported 3,000 records.");
  const erased = "\r\u001B[K";
  expect(written()).toBe(
    `${erased}[${"=".repeat(15)}${" ".repeat(15)}]  50 % Records imported: 1,500 of 3,000${erased}Imported 3,000 records.\n`,
  );
});

test("removes the bar at the end, and fills it at most", () => {
  const { output, written } = outputTo(true);
  vi.advanceTimersByTime(100);
  output.report("Lines exported", 7, 5);
  output.end();
  output.end();
  expect(written()).toBe(`\r\u001B[K[${"=".repeat(30)}] 100 % Lines exported: 7 of 5\r\u001B[K`);
});

test("fills a bar without any work", () => {
  const { output, written } = outputTo(true);
  vi.advanceTimersByTime(100);
  output.report("Lines read", 0, 0);
  expect(written()).toContain("] 100 % Lines read: 0 of 0");
});

test("writes a line each second to a file or pipe, without control characters", () => {
  const { output, written } = outputTo(false);
  for (let done = 1; done <= 30; done++) {
    vi.advanceTimersByTime(100);
    output.report("Lines read", done);
  }
  output.step("rewrite the database", 3, 4);
  output.end();
  expect(written()).toBe("Lines read: 10\nLines read: 20\nLines read: 30\n3 of 4: rewrite the database\n");
});

test("keeps a line on one line, whatever names it has", () => {
  const { output, written } = outputTo(true);
  output.writeLine("File a\u001b[2J\nError: b\u202e not found");
  expect(written()).toBe("File a\\x1b[2J\\nError: b\\u202e not found\n");
});
