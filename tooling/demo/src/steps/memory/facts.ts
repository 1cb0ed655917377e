// Facts: after a restart, after a change, and along relations.
import assert from "node:assert/strict";
import type { Step } from "../../show.ts";
import { count, names } from "../../word-lists.ts";
import { jsonOf, dataOf } from "./replies.ts";
import type { Scene } from "./scene.ts";

export const greeting: Step<Scene> = {
  title: "greeting",
  async play({ client, revision }, say) {
    assert.equal(client.revision, revision);
    const tools = await client.tools().all();
    const known = ["create_entities", "search_nodes", "read_graph"];
    const own = ["traverse_graph", "get_history", "graph_stats", "update_entities"];
    for (const name of [...known, ...own])
      assert.ok(
        tools.some((tool) => tool.name === name),
        name,
      );
    say(`${client.serverInfo.name} speaks ${revision}: ${count(tools.length, "tool")}, the known nine and ${names(own)}.`);
  },
};

export const recall: Step<Scene> = {
  title: "recall",
  async play(scene, say) {
    const entities = [
      { name: "Ilse Marten", entityType: "person", observations: ["works at Quay & Sons", "wants a red hull"] },
      { name: "Quay & Sons", entityType: "company", observations: ["rents out the slipway"] },
      { name: "Kittiwake", entityType: "boat", observations: ["planked in oak", "launch in May"] },
    ];
    const relations = [
      { from: "Ilse Marten", to: "Quay & Sons", relationType: "works_at" },
      { from: "Quay & Sons", to: "Kittiwake", relationType: "keeps" },
    ];
    dataOf(await scene.client.call("create_entities", { entities }));
    dataOf(await scene.client.call("create_relations", { relations }));
    await scene.restart();
    const found = dataOf(await scene.client.call("search_nodes", { query: "oak launch" }));
    assert.deepEqual(found.entities, [entities[2]]);
    assert.deepEqual(dataOf(await scene.client.call("read_graph")), { entities, relations });
    say("Three entities and two relations are stored, and the server is stopped. A new one on the same file has them all;");
    say(`a search for “oak launch”, two words of two observations, finds ${found.entities[0]?.name}.`);
  },
};

export const superseded: Step<Scene> = {
  title: "a new fact",
  async play({ client }, say) {
    const [old, now] = ["works at Quay & Sons", "works at the harbour office"];
    const observations = [{ entityName: "Ilse Marten", contents: [now], supersedes: [old] }];
    dataOf(await client.call("add_observations", { observations }));
    const { entities } = dataOf(await client.call("open_nodes", { names: ["Ilse Marten"] }));
    assert.deepEqual(entities[0]?.observations, ["wants a red hull", now]);
    assert.deepEqual(
      dataOf(await client.call("search_nodes", { query: old })).entities.filter(({ observations }) => observations.includes(old)),
      [],
    );
    const past = jsonOf(await client.call("get_history", { entityName: "Ilse Marten" }));
    assert.ok(past.includes(old) && past.includes(now));
    say(`Ilse ${now} from now on. Reads return only that; get_history still has that she ${old.replace("works", "worked")}.`);
  },
};

export const traversal: Step<Scene> = {
  title: "traversal",
  async play({ client }, say) {
    const found = dataOf(await client.call("traverse_graph", { start: "Ilse Marten", to: "Kittiwake", depth: 3 }));
    assert.deepEqual(
      found.nodes.map(({ name, depth }) => [name, depth]),
      [
        ["Ilse Marten", 0],
        ["Quay & Sons", 1],
        ["Kittiwake", 2],
      ],
    );
    assert.equal(found.edges.length, 2);
    say(`The way from Ilse to the boat: ${found.nodes.map(({ name }) => name).join(" → ")}.`);
  },
};
