// The client's log: warnings about the files of the memory, deletions and merges.
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { entity, jsonl } from "../support/graphs.ts";
import { serveMemory } from "../support/memory-fixture.ts";
import { allowWaiting, until } from "../support/patience.ts";

allowWaiting();

/** A memory with the messages of the client's log. */
async function serveWithLog(file: string, content?: string) {
  const logged: string[] = [];
  const memory = await serveMemory({
    file,
    allowPurge: true,
    options: { revision: "2025-11-25", onLog: ({ level, data }) => logged.push(`${level}: ${String(data)}`) },
    ...(content === undefined ? { entities: [entity("a", "t", "x"), entity("b", "t")] } : {}),
    prepare: (folder) => content === undefined || writeFileSync(folder.at(file), content),
  });
  return { memory, logged };
}

test("logs unreadable lines of the file once", async () => {
  const { memory, logged } = await serveWithLog("m.jsonl", `${jsonl([entity("a", "t")])}not a record\n`);
  await using _ = memory;
  await memory.call("graph_stats");
  await until(
    () => logged.length,
    (count) => count > 0,
  );
  await memory.call("graph_stats");
  expect(logged).toEqual([
    expect.stringMatching(/^warning: 1 line of m\.jsonl not accepted and kept in m\.jsonl\.damaged \(line 2: not JSON\)/),
  ]);
});

test("logs deletions, purges and merges with their numbers", async () => {
  const { memory, logged } = await serveWithLog("m.db");
  await using _ = memory;
  await memory.call("delete_observations", { deletions: [{ entityName: "a", observations: ["x"] }] });
  await memory.call("update_entities", { updates: [{ name: "a", newName: "b", merge: true }] });
  await memory.call("delete_entities", { entityNames: ["b"], purge: true });
  await memory.call("delete_entities", { entityNames: ["missing"] });
  await until(
    () => logged.length,
    (count) => count === 3,
  );
  expect(logged).toEqual(["info: Deleted: 1 observation.", "info: Merged: a into b.", "info: Purged: 2 entities, 1 observation."]);
});
