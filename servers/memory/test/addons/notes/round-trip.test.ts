// Graphs as notes: any names and texts, in files with safe names.
import { describe, expect, test } from "vitest";
import { safeStem } from "../../../src/addons/notes/file-names.ts";
import { checkRoundTrip, checkRoundTrips } from "./round-trips.ts";

describe("notes", () => {
  test("hold any graph: what is read is what was written, and nothing is written twice", () => checkRoundTrips({ numRuns: 50, seed: 1 }));

  test.each([" \n", "  \n", " \n\n", "\n", "a\n b ", "\r\n"])("keep a name and a type of blanks and line breaks: %j", (text) =>
    checkRoundTrip([{ name: text, entityType: text, tags: [], observations: [], relations: [], isEntity: true }]),
  );

  test.each([
    ["a/b\\c", "a-b-c"],
    ["..", "unnamed"],
    [".hidden", "hidden"],
    ["con", "_con"],
    ["COM1.txt", "_COM1.txt"],
    ["ends with dots. .", "ends with dots"],
    ["what? [[x]] #1 ^2", "what- -x- -1 -2"],
    ["x".repeat(300), "x".repeat(100)],
    ["日本", "日本"],
  ])("are in a file with a safe name: %j is %j", (given, expected) => {
    expect(safeStem(given)).toBe(expected);
  });
});
