// A JSONL file that another program has open while it is replaced, as virus scanners and sync clients do on Windows.
import { readdirSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { Mirror } from "../../../src/graph/jsonl/mirror.ts";
import { openStore } from "../../../src/graph/store/open-store.ts";
import { runAtOnce } from "../../support/run-at-once.ts";
import { createEntities } from "../../../src/graph/write/creation.ts";
import { failingRenames } from "../../support/failing-renames.ts";
import { entity } from "../../support/graphs.ts";

test("replaces the JSONL file as soon as no other program has it open", async () => {
  await using folder = tempFolder({ "m.jsonl": "" });
  const [database, path] = [folder.at("m.db"), folder.at("m.jsonl")];
  const store = await openStore(database);
  const calls = failingRenames("win32", 2);
  const mirror = new Mirror(store, { path, database, readOnly: false, calls, warn: expect.fail });
  await store.write("test", (call) => runAtOnce(createEntities(store, call, [entity("Ada", "person")])));
  await mirror.flush();
  expect(folder.read("m.jsonl")).toContain('"Ada"');
  expect(readdirSync(folder.path).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  await mirror.close();
  store.close();
});

test("leaves no copy beside a JSONL file that cannot be replaced", async () => {
  await using folder = tempFolder({ "m.jsonl": "" });
  const [database, path] = [folder.at("m.db"), folder.at("m.jsonl")];
  const store = await openStore(database);
  const warnings: string[] = [];
  const options = { path, database, readOnly: false, calls: failingRenames("linux", 1), warn: (text: string) => warnings.push(text) };
  const mirror = new Mirror(store, options);
  await store.write("test", (call) => runAtOnce(createEntities(store, call, [entity("Ada", "person")])));
  await mirror.flush();
  expect(warnings).toHaveLength(1);
  expect([folder.read("m.jsonl"), readdirSync(folder.path).filter((name) => name.endsWith(".tmp"))]).toEqual(["", []]);
  await mirror.close();
  store.close();
});
