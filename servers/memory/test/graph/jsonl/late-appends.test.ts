// What is appended to a mirror whose name another file has just taken is not lost.
import { appendFileSync, closeSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { LateAppends } from "../../../src/graph/jsonl/late-appends.ts";

test("an append that came too late for the old file is brought over to the new one, once", async () => {
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

test("where nobody wrote to the old file nothing is brought over, and the new one may grow meanwhile", async () => {
  await using folder = tempFolder({ "m.jsonl": "one\n", "new.tmp": "two\n" });
  const path = folder.at("m.jsonl");
  const late = new LateAppends(path);
  late.keepOldFile();
  renameSync(folder.at("new.tmp"), path);
  appendFileSync(path, "three\n");
  late.recover();
  expect(readFileSync(path, "utf8")).toBe("two\nthree\n");
});
