// Files go back and forth between the two servers, and even lie under both at once.
import { readFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { entity, relation } from "../support/graph.ts";
import { namesIn, type Keeper } from "../support/server-process.ts";
import { soon } from "../support/soon.ts";
import { official, ours, type Start } from "./pair.ts";

/** What a turn adds. */
async function turn(server: Keeper, round: number): Promise<void> {
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
  for (let round = 0; round < 6; round++) {
    await using server = await starts[round % starts.length]!(file);
    await turn(server, round);
    graph = await server.graph();
    await server.close();
  }
  return { graph, text: readFileSync(file, "utf8").trimEnd() };
}

test("deviation `store`: a file that goes to and fro is what it would be with either alone", async () => {
  const alone = await backAndForth([official]);
  expect(await backAndForth([official, ours])).toEqual(alone);
  expect(await backAndForth([ours, official])).toEqual(alone);
  expect(await backAndForth([ours])).toEqual(alone);
});

test("the official server reads what ours has just written, while ours runs", async () => {
  await using folder = tempFolder();
  const file = folder.at("memory.jsonl");
  await using own = await ours(file);
  await own.create("ours");
  await soon(
    () => folder.tree()["memory.jsonl"] !== undefined && namesIn(file).length === 1,
    (is) => is,
    4000,
  );
  await using theirs = await official(file);
  expect(await theirs.names()).toEqual(["ours"]);
  await theirs.create("theirs");
  await soon(
    () => own.names(),
    (names) => names.length === 2,
    4000,
  );
  await own.does("delete_entities", { entityNames: ["theirs"] });
  await soon(
    () => theirs.names(),
    (names) => names.length === 1,
    4000,
  );
  expect(await theirs.names()).toEqual(["ours"]);
});

test("side by side on one file, in turns, neither loses what the other has written", async () => {
  await using folder = tempFolder();
  const file = folder.at("memory.jsonl");
  await using own = await ours(file);
  await using theirs = await official(file);
  const wanted: string[] = [];
  for (let round = 0; round < 4; round++) {
    await (round % 2 === 0 ? own : theirs).create(`e${round}`);
    wanted.push(`e${round}`);
    for (const server of [own, theirs])
      await soon(
        () => server.names(),
        (names) => names.length === wanted.length,
        5000,
      );
  }
  expect(await own.names()).toEqual(wanted);
  await own.close();
  expect(namesIn(file)).toEqual(wanted);
});
