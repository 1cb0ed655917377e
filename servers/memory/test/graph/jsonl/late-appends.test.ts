// Lines that are appended to the old file just after it was replaced are not lost.
import { appendFileSync, closeSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { LateAppends } from "../../../src/graph/jsonl/late-appends.ts";

test("a late append to the old file is copied to the new one, once", async () => {
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

test("nothing is copied when nothing was appended to the old file, even if the new one grows", async () => {
  await using folder = tempFolder({ "m.jsonl": "one\n", "new.tmp": "two\n" });
  const path = folder.at("m.jsonl");
  const late = new LateAppends(path);
  late.keepOldFile();
  renameSync(folder.at("new.tmp"), path);
  appendFileSync(path, "three\n");
  late.recover();
  expect(readFileSync(path, "utf8")).toBe("two\nthree\n");
});
