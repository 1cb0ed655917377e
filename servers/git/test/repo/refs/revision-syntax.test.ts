// Revisions, ranges and names of refs as callers write them.
import { expect, test } from "vitest";
import { checkRefName, checkRevision, isFullId, parseRange, refNamesIn } from "../../../src/repo/refs/revision-syntax.ts";

test.each(["HEAD", "HEAD~2", "a-b", "@{-1}", ":/fix", "v1.0^{}", "x".repeat(1000), "a{10001}"])("accepts the revision %s", (text) => {
  expect(() => checkRevision(text)).not.toThrow();
});

test.each([
  ["", "is empty"],
  ["x".repeat(1001), "longer than 1000"],
  ["-p", 'begin with "-"'],
  ["--output=x", 'begin with "-"'],
  ["a\nb", "control character"],
  ["a\0", "control character"],
  ["a\u007f", "control character"],
  ["a\ud800", "well-formed"],
  [":/a{10001}", "repeats too much"],
])("refuses the revision %j", (text, reason) => {
  expect(() => checkRevision(text)).toThrow(reason);
});

test.each([
  ["a..b", { from: "a", to: "b", isSymmetric: false }],
  ["a...b", { from: "a", to: "b", isSymmetric: true }],
  ["..b", { from: "HEAD", to: "b", isSymmetric: false }],
  ["a...", { from: "a", to: "HEAD", isSymmetric: true }],
  ["a.b..c.d", { from: "a.b", to: "c.d", isSymmetric: false }],
  ["a", undefined],
  ["a.b", undefined],
  ["HEAD:../x", undefined],
  [":/a..b", undefined],
])("reads the text %s as the range %j", (text, range) => {
  expect(parseRange(text)).toEqual(range);
});

test.each([
  ["a".repeat(40), true],
  ["0".repeat(64), true],
  ["a".repeat(39), false],
  ["a".repeat(41), false],
  ["A".repeat(40), false],
  ["g".repeat(40), false],
  [`${"a".repeat(40)}~`, false],
])("isFullId(%j) is %j", (text, expected) => {
  expect(isFullId(text)).toBe(expected);
});

test.each(["main", "a/b", "a-b", "a.b", "a@b", "x".repeat(250), "ä", "a.locked", "a{b", "heads/HEAD"])("accepts the name %s", (name) => {
  expect(() => checkRefName(name, "branch")).not.toThrow();
});

test.each([
  "",
  "x".repeat(251),
  "-a",
  "@",
  "HEAD",
  "a/",
  "a.",
  "a b",
  "a\tb",
  "a~b",
  "a^b",
  "a:b",
  "a?b",
  "a*b",
  "a[b",
  "a\\b",
  "a..b",
  "a@{b",
  "a//b",
  ".a",
  "a/.b",
  "a.lock",
  "a.lock/b",
  "/a",
  "a\u007f",
  "a\ud800",
])("refuses the name %j", (name) => {
  expect(() => checkRefName(name, "branch")).toThrow("cannot name a branch");
});

test.each<[text: string, names: string[]]>([
  ["main", ["main"]],
  ["hooks/x~2^{tree}", ["hooks/x"]],
  ["hooks/x^{/a:b..c}", ["hooks/x"]],
  ["main@{u}", ["main"]],
  ["a..b", ["a", "b"]],
  ["a...b:c..d", ["a", "b"]],
  ["^a", ["a"]],
  ["a.b/c-1", ["a.b/c-1"]],
  ["a@b", ["a@b"]],
  ["..", []],
  ["@", []],
  ["@{-1}", []],
  [":/fix a", []],
  [":1:a/b", []],
])("lists the names that git looks up in %s", (text, names) => {
  expect(refNamesIn(text)).toEqual(names);
});
