// A JSONL file without readable records, written long ago: calls are answered all the same.
import { readFileSync, utimesSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { createEntities } from "../../../src/graph/write/creation.ts";
import { Memory } from "../../../src/graph/memory.ts";
import { runAtOnce } from "../../support/run-at-once.ts";

const LONG_AGO = new Date(0);
const ada = { name: "Ada", entityType: "person", observations: ["writes programs"] };

test.each([
  ["empty", ""],
  ["of blank lines", "\n\r\n\n"],
  ["with only a byte order mark", "\uFEFF"],
  ["of lines that are not records", "not json\n[1\n"],
  ["an empty list", "[]"],
])("a file %s from long ago does not prevent a change, which is written to the file", async (_what, text) => {
  await using folder = tempFolder({ "m.jsonl": text });
  const path = folder.at("m.jsonl");
  utimesSync(path, LONG_AGO, LONG_AGO);
  const memory = new Memory({ location: { database: folder.at("m.db"), mirror: path }, warn: () => undefined });
  expect(await memory.read((store) => store.totals().entities)).toBe(0);
  await memory.write("test", (store, call) => runAtOnce(createEntities(store, call, [ada])));
  // Set the time again, as another program may do.
  utimesSync(path, LONG_AGO, LONG_AGO);
  expect(await memory.read((store) => store.totals().entities)).toBe(1);
  await memory.close();
  expect(readFileSync(path, "utf8")).toContain("writes programs");
});

test("delays no call by a file that cannot be imported", async () => {
  await using folder = tempFolder({ "m.jsonl": "" });
  const path = folder.at("m.jsonl");
  const warnings: string[] = [];
  const memory = new Memory({ location: { database: folder.at("m.db"), mirror: path }, warn: (line) => warnings.push(line) });
  const { store } = await memory.open();
  // As with a full disk.
  store.setMeta = () => {
    throw new Error("no room");
  };
  utimesSync(path, LONG_AGO, LONG_AGO);
  expect(await memory.read(() => "answered")).toBe("answered");
  expect(warnings.join()).toContain("no room");
});
