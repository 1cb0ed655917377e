// Lines that are appended to the old file just after it was replaced are not lost.
import {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { needs, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { LateAppends } from "../../../src/graph/jsonl/late-appends.ts";

test("copies a late append to the old file to the new one, once", async () => {
  await using folder = tempFolder({ "m.jsonl": "one\n", "new.tmp": "one\ntwo\n" });
  const path = folder.at("m.jsonl");
  const editor = openSync(path, "a");
  const late = new LateAppends(path);
  late.keepOldFile();
  renameSync(folder.at("new.tmp"), path);
  writeSync(editor, "three\n");
  closeSync(editor);
  late.recover();
  late.recover();
  expect(readFileSync(path, "utf8")).toBe("one\ntwo\nthree\n");
});

test("copies nothing unless the old file has grown", async () => {
  await using folder = tempFolder({ "m.jsonl": "one\n", "new.tmp": "two\n" });
  const path = folder.at("m.jsonl");
  const late = new LateAppends(path);
  late.keepOldFile();
  renameSync(folder.at("new.tmp"), path);
  appendFileSync(path, "three\n");
  late.recover();
  expect(readFileSync(path, "utf8")).toBe("two\nthree\n");
});

test("finds lines in the replaced file that were appended before its replacement", async () => {
  await using folder = tempFolder({ "m.jsonl": "one\n", "first.tmp": "1\n" });
  const path = folder.at("m.jsonl");
  const late = new LateAppends(path);
  const editor = openSync(path, "a");
  late.keepOldFile();
  renameSync(folder.at("first.tmp"), path);
  writeSync(editor, "late\n");
  closeSync(editor);
  late.keepOldFile();
  expect(readFileSync(path, "utf8")).toBe("1\nlate\n");
  late.recover();
  expect(readFileSync(path, "utf8")).toBe("1\nlate\n");
});

test.each([
  [16 * 1024 * 1024, true],
  [16 * 1024 * 1024 + 1, false],
  [-2, false],
])("takes an addition of %i bytes for appended lines: %s", async (added, isTaken) => {
  await using folder = tempFolder({ "m.jsonl": "one\n", "new.tmp": "two\n" });
  const path = folder.at("m.jsonl");
  const late = new LateAppends(path);
  late.keepOldFile();
  renameSync(path, folder.at("old"));
  renameSync(folder.at("new.tmp"), path);
  truncateSync(folder.at("old"), 4 + added);
  late.recover();
  expect(statSync(path).size).toBe(isTaken ? 4 + added : 4);
});

test("no file stays open", needs("/proc"), async () => {
  await using folder = tempFolder({ "m.jsonl": "one\n" });
  const openNames = (): string[] =>
    readdirSync("/proc/self/fd").flatMap((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return [];
      }
    });
  const path = folder.at("m.jsonl");
  const late = new LateAppends(path);
  for (let times = 0; times < 3; times++) late.keepOldFile();
  expect(openNames().filter((name) => name === path)).toHaveLength(1);
  late.recover();
  expect(openNames()).not.toContain(path);
});
