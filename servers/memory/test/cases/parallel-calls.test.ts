// Many calls at once on one store, by one server and by several with connections of their own. Rule M1.
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { serveInProcess, type InProcessServer } from "../support/in-process.ts";
import { namesIn } from "../support/mirror-file.ts";

const numbers = (count: number, prefix: string): string[] => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

test.each(["m.jsonl", "m.db"])("case MEM-01: of 100 creates at once, 100 are there, in %s", async (name) => {
  await using folder = tempFolder();
  await using server = await serveInProcess(folder.at(name));
  const wanted = numbers(100, "e");
  await Promise.all(wanted.map((one) => server.create(one)));
  expect((await server.names()).toSorted()).toEqual(wanted.toSorted());
  await server.close();
  if (name === "m.jsonl") expect(namesIn(folder.at(name)).toSorted()).toEqual(wanted.toSorted());
});

test.each(["m.jsonl", "m.db"])("case MEM-02: 20 parallel creates by each of two servers leave 40 entities, in %s", async (name) => {
  await using folder = tempFolder();
  await using one = await serveInProcess(folder.at(name));
  await using other = await serveInProcess(folder.at(name));
  const all = [...numbers(20, "one "), ...numbers(20, "other ")];
  await Promise.all(all.map((name, at) => (at < 20 ? one : other).create(name)));
  for (const server of [one, other]) expect((await server.names()).toSorted()).toEqual(all.toSorted());
  await Promise.all([one.close(), other.close()]);
  if (name === "m.jsonl") expect(namesIn(folder.at(name)).toSorted()).toEqual(all.toSorted());
});

test("updates the totals of read_graph with each change, by this server and by others", async () => {
  await using folder = tempFolder();
  await using one = await serveInProcess(folder.at("m.db"));
  await using other = await serveInProcess(folder.at("m.db"));
  const total = async (server: InProcessServer): Promise<unknown> =>
    ((await server.does("read_graph", { limit: 1 })) as { total?: unknown }).total;
  for (let count = 0; count < 4; count++) {
    expect([await total(one), await total(other)]).toEqual([
      { entities: count, relations: 0 },
      { entities: count, relations: 0 },
    ]);
    await (count % 2 === 0 ? one : other).create(`e${count}`);
  }
  await other.does("delete_entities", { entityNames: ["e0"] });
  expect([await total(one), await total(other)]).toEqual([
    { entities: 3, relations: 0 },
    { entities: 3, relations: 0 },
  ]);
});

describe("rule M1: any mix of parallel calls has the result of some sequence", () => {
  test("additions to one entity by three servers are all stored once", async () => {
    await using folder = tempFolder();
    const keepers = await Promise.all([0, 1, 2].map(() => serveInProcess(folder.at("m.jsonl"))));
    try {
      await keepers[0]!.create("shared");
      const add = (server: InProcessServer, text: string) =>
        server.does("add_observations", { observations: [{ entityName: "shared", contents: [text, "by all"] }] });
      await Promise.all(keepers.flatMap((server, who) => numbers(30, `o${who} `).map((text) => add(server, text))));
      const [shared] = (await keepers[1]!.graph()).entities;
      const wanted = [...keepers.flatMap((_, who) => numbers(30, `o${who} `)), "by all"];
      expect(shared!.observations.toSorted()).toEqual(wanted.toSorted());
    } finally {
      await Promise.all(keepers.map((server) => server[Symbol.asyncDispose]()));
    }
  });

  test("creates an entity once in many parallel calls", async () => {
    await using folder = tempFolder();
    await using one = await serveInProcess(folder.at("m.db"));
    await using other = await serveInProcess(folder.at("m.db"));
    const tries = numbers(20, "type ").map((entityType, at) =>
      (at % 2 === 0 ? one : other).does("create_entities", { entities: [{ name: "the one", entityType, observations: [] }] }),
    );
    const created = (await Promise.all(tries)).flatMap(({ entities }) => entities as { entityType: string }[]);
    expect(created).toHaveLength(1);
    expect((await other.graph()).entities).toEqual([{ name: "the one", entityType: created[0]!.entityType, observations: [] }]);
  });

  test("serializes the deletion of an entity and new relations to it", async () => {
    await using folder = tempFolder();
    await using one = await serveInProcess(folder.at("m.db"));
    await using other = await serveInProcess(folder.at("m.db"));
    for (let round = 0; round < 8; round++) {
      await one.create(`a${round}`, `b${round}`);
      const relation = { from: `a${round}`, to: `b${round}`, relationType: "r" };
      await Promise.all([
        one.does("delete_entities", { entityNames: [`b${round}`] }),
        other.does("create_relations", { relations: [relation] }),
      ]);
      const { relations } = await one.does("open_nodes", { names: [`a${round}`] });
      expect([[], [relation]]).toContainEqual(relations);
    }
  });
});
