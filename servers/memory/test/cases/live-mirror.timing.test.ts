// How soon the JSONL file and the memory follow each other. Rule M2; the manual promises two seconds.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tempFolder, waitUntil } from "@oarlock/testing";
import { expect, test } from "vitest";
import { entity, jsonl } from "../support/graphs.ts";
import { startServer } from "../support/server-process.ts";

const LIMIT_MS = 4000;

test("rule M2: the file follows a change, and the memory follows the file, within 4 seconds", async () => {
  await using folder = tempFolder();
  const file = folder.at("m.jsonl");
  await using server = await startServer(file);
  await server.does("create_entities", { entities: [entity("a", "t")] });
  await waitUntil(
    () => (existsSync(file) ? readFileSync(file, "utf8") : ""),
    (text) => text === jsonl([entity("a", "t")]),
    LIMIT_MS,
  );
  writeFileSync(file, jsonl([entity("b", "t")]));
  const names = await waitUntil(
    () => server.names(),
    (names) => !names.includes("a"),
    LIMIT_MS,
  );
  expect(names).toEqual(["b"]);
});
