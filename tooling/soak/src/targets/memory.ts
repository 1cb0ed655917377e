/** A graph of fixed size that is read, changed and watched. */
import { cancelled, watched } from "../load/kit.ts";
import { must, succeeds } from "../load/expect.ts";
import type { Domain } from "./domain.ts";

const ENTITIES = 40;
const nameOf = (turn: number): string => `entity ${turn % ENTITIES}`;

export const memory: Domain = {
  name: "memory",
  prepare: (folder) => ["--db", folder.at("memory.db")],
  call: () => ({ name: "read_graph", args: {} }),
  works: () => ({
    create: async (client, turn) => {
      const entities = Array.from({ length: 5 }, (_, at) => ({ name: nameOf(turn + at), entityType: "thing", observations: ["is there"] }));
      await succeeds(client.call("create_entities", { entities }));
    },
    relate: async (client, turn) => {
      const relations = [{ from: nameOf(turn), to: nameOf(turn + 1), relationType: "knows" }];
      await succeeds(client.call("create_relations", { relations, createMissing: true }));
    },
    "observe and forget": async (client, turn) => {
      const entityName = nameOf(turn);
      const contents = [`was seen at turn ${turn % 100}`];
      await succeeds(client.call("add_observations", { observations: [{ entityName, contents }], createMissing: true }));
      await succeeds(client.call("delete_observations", { deletions: [{ entityName, observations: contents }] }));
    },
    graph: async (client) => must((await succeeds(client.call("read_graph", {}))).includes("entit"), "no graph"),
    search: async (client) => void (await succeeds(client.call("search_nodes", { query: "there" }))),
    open: async (client, turn) => void (await succeeds(client.call("open_nodes", { names: [nameOf(turn)] }))),
    stats: async (client) => void (await succeeds(client.call("graph_stats"))),
    cancelled: (client) => cancelled(client, "search_nodes", { query: "entity" }, 0),
    watched: async (client, turn) => {
      const entityName = nameOf(turn);
      await succeeds(client.call("add_observations", { observations: [{ entityName, contents: ["waits"] }], createMissing: true }));
      await watched(client, `memory://entity/${encodeURIComponent(entityName)}`, () =>
        succeeds(client.call("add_observations", { observations: [{ entityName, contents: [`changed at ${Math.random()}`] }] })),
      );
    },
    delete: async (client, turn) => void (await succeeds(client.call("delete_entities", { entityNames: [nameOf(turn)], purge: false }))),
    resource: async (client) => void (await client.read("memory://stats")),
  }),
};
