import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { counted, DomainError, systemErrorCode, TimeSlice, utf8SequenceLength, yieldToEventLoop } from "../src/index.ts";

class DiskError extends DomainError<"missing" | "denied"> {
  override readonly name = "DiskError";
}

test("gives a domain error its code and exposes its message", () => {
  const error = new DiskError("missing", "File not found: a.txt.");
  expect(error).toMatchObject({ name: "DiskError", code: "missing", expose: true, message: "File not found: a.txt." });
  expect(error).toBeInstanceOf(DomainError);
});

test("reads the code of system errors only", () => {
  let caught: unknown;
  try {
    readFileSync("/does/not/exist");
  } catch (error) {
    caught = error;
  }
  expect(systemErrorCode(caught)).toBe("ENOENT");
  expect(systemErrorCode(new Error("plain"))).toBeUndefined();
  expect(systemErrorCode({ code: "ENOENT" })).toBeUndefined();
});

test("counts with singular and plural", () => {
  expect([0, 1, 2].map((count) => counted(count, "row"))).toEqual(["0 rows", "1 row", "2 rows"]);
  expect(counted(2, "entity", "entities")).toBe("2 entities");
});

test("finds well-formed UTF-8 sequences", () => {
  expect(utf8SequenceLength(Buffer.from("aé文😀"), 0)).toBe(1);
  expect([1, 3, 6].map((at) => utf8SequenceLength(Buffer.from("aé文😀"), at))).toEqual([2, 3, 4]);
  expect(utf8SequenceLength(Buffer.from([0xe9, 0x61]), 0)).toBe(0);
  expect(utf8SequenceLength(Buffer.from([0xe2, 0x82]), 0)).toBe(0);
  expect(utf8SequenceLength(Buffer.from([]), 0)).toBe(0);
});

test("yields to other work between time slices", async () => {
  const slice = new TimeSlice(1);
  const steps: string[] = [];
  setImmediate(() => steps.push("other work"));
  steps.push("this work");
  while (!slice.isOver);
  await slice.next();
  steps.push("this work");
  expect(steps).toEqual(["this work", "other work", "this work"]);
  expect(new TimeSlice(60_000).isOver).toBe(false);
});

test("stops long work when its signal aborts", async () => {
  await expect(yieldToEventLoop(AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
});
