import { cpuMs } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { openCursor, sealCursor } from "../../../src/disk/text/cursor.ts";
import { DiskError } from "../../../src/disk/errors.ts";

const question = ["list", "/data", { pattern: "*" }];

test("a cursor gives back its place to the question it belongs to", () => {
  for (const place of ["a", "é/ü.txt", "with\nnewline", "x".repeat(4096)]) {
    expect(openCursor(question, sealCursor(question, place))).toBe(place);
  }
});

describe("refused", () => {
  const cursor = sealCursor(question, "a/b");
  const flipped = (at: number) => cursor.slice(0, at) + (cursor[at] === "A" ? "B" : "A") + cursor.slice(at + 1);
  const cases: [string, string, readonly unknown[]][] = [
    ["of another question", cursor, ["list", "/other", { pattern: "*" }]],
    ["of another pattern", cursor, ["list", "/data", { pattern: "**" }]],
    ["with another seal", flipped(3), question],
    ["with another place", flipped(cursor.length - 1), question],
    ["shortened", cursor.slice(0, -2), question],
    ["lengthened", `${cursor}AA`, question],
    ["only a seal", cursor.slice(0, 22), question],
    ["empty", "", question],
    ["made up", "next", question],
    ["a number", "100", question],
    ["in another spelling", `${cursor}=`, question],
    ["no base64url", "a/b+c", question],
    ["huge", "A".repeat(1_000_000), question],
  ];
  test.each(cases)("%s", (_what, forged, asked) => {
    const start = cpuMs();
    expect(() => openCursor(asked, forged)).toThrow(DiskError);
    expect(() => openCursor(asked, forged)).toThrow(/cursor does not belong to this call/);
    expect(cpuMs() - start).toBeLessThan(100);
  });
});
