// How long large changes of the file by other programs take. Rule M4.
import { renameSync, writeFileSync } from "node:fs";
import { tempFolder, waitUntil } from "@oarlock/testing";
import { expect, test } from "vitest";
import { entity, jsonl } from "../support/graphs.ts";
import { serveInProcess } from "../support/in-process.ts";

test("reads a changed entity with many observations quickly", async () => {
  const texts = Array.from({ length: 60_000 }, (_, at) => `fact ${at}`);
  const half = texts.filter((_, at) => at % 2 === 0);
  await using folder = tempFolder({ "m.jsonl": jsonl([entity("b", "t")]) });
  const file = folder.at("m.jsonl");
  await using server = await serveInProcess(file);
  expect(await server.names()).toEqual(["b"]);
  const count = async (): Promise<unknown> => (await server.does("graph_stats")).observations;
  for (const [content, wanted] of [
    [jsonl([entity("b", "t"), entity("a", "t", ...half), entity("a", "t", ...texts.toReversed())]), 60_000],
    [jsonl([entity("b", "t"), entity("a", "t", ...half)]), 30_000],
  ] as const) {
    writeFileSync(`${file}.new`, content);
    renameSync(`${file}.new`, file);
    expect(await waitUntil(count, (seen) => seen === wanted, 8000)).toBe(wanted);
  }
});
