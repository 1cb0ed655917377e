// Both servers use one file in turns, and at the same time.
import { existsSync, readFileSync } from "node:fs";
import { tempFolder, waitUntil } from "@oarlock/testing";
import { expect, test } from "vitest";
import { entity, relation } from "../support/graphs.ts";
import { namesIn } from "../support/mirror-file.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { official, ours, type Start } from "./pair.ts";

/** The additions of one turn. */
async function turn(server: ServerProcess, round: number): Promise<void> {
  await server.does("create_entities", { entities: [entity(`e${round}`, "t", `made in round ${round}`, "日本\n✓")] });
  await server.does("create_relations", { relations: [relation(`e${round}`, "follows", `e${round - 1}`)] });
  if (round > 1) {
    await server.does("add_observations", { observations: [{ entityName: `e${round - 1}`, contents: [`seen in round ${round}`] }] });
    await server.does("delete_observations", {
      deletions: [{ entityName: `e${round - 2}`, observations: [`made in round ${round - 2}`] }],
    });
  }
  if (round % 4 === 3) await server.does("delete_entities", { entityNames: [`e${round - 3}`] });
}

async function backAndForth(starts: readonly Start[]): Promise<{ graph: unknown; text: string }> {
  await using folder = tempFolder();
  const file = folder.at("memory.jsonl");
  let graph: unknown;
  for (let round = 0; round < 5; round++) {
    await using server = await starts[round % starts.length]!(file);
    await turn(server, round);
    graph = await server.graph();
    await server.close();
  }
  return { graph, text: readFileSync(file, "utf8").trimEnd() };
}

test("deviation `store`: a file that both servers use in turns has the same content as with one of them", async () => {
  const expected = await backAndForth([official]);
  expect(await backAndForth([official, ours])).toEqual(expected);
  expect(await backAndForth([ours, official])).toEqual(expected);
  expect(await backAndForth([ours])).toEqual(expected);
});

test("writes changes that the reference server reads while it runs", async () => {
  await using folder = tempFolder();
  const file = folder.at("memory.jsonl");
  await using own = await ours(file);
  await own.create("ours");
  await waitUntil(
    () => existsSync(file) && namesIn(file).length === 1,
    (is) => is,
    20_000,
  );
  await using theirs = await official(file);
  expect(await theirs.names()).toEqual(["ours"]);
  await theirs.create("theirs");
  await waitUntil(
    () => own.names(),
    (names) => names.length === 2,
    20_000,
  );
  await own.does("delete_entities", { entityNames: ["theirs"] });
  await waitUntil(
    () => theirs.names(),
    (names) => names.length === 1,
    20_000,
  );
  expect(await theirs.names()).toEqual(["ours"]);
});

test("keeps changes of two servers that write one file in turns", async () => {
  await using folder = tempFolder();
  const file = folder.at("memory.jsonl");
  await using own = await ours(file);
  await using theirs = await official(file);
  const wanted: string[] = [];
  for (let round = 0; round < 4; round++) {
    await (round % 2 === 0 ? own : theirs).create(`e${round}`);
    wanted.push(`e${round}`);
    for (const server of [own, theirs])
      await waitUntil(
        () => server.names(),
        (names) => names.length === wanted.length,
        20_000,
      );
  }
  expect(await own.names()).toEqual(wanted);
  await own.close();
  expect(namesIn(file)).toEqual(wanted);
});
