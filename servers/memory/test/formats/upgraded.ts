// What every file of test/formats/ has: a server of its time wrote it by the same calls.
import { expect } from "vitest";
import type { Caller } from "../support/caller.ts";
import { entity, relation } from "../support/graphs.ts";

export async function checkUpgraded(server: Caller): Promise<void> {
  expect(await server.graph()).toEqual({
    entities: [entity("Ada", "person", "likes Café Straße", "lives in Porto"), entity("Beatrix", "person", "owns a boat")],
    relations: [relation("Ada", "sister_of", "Beatrix")],
  });
  const history = await server.does("get_history", { entityName: "Ada" });
  expect(history["events"]).toContainEqual(expect.objectContaining({ by: "earlier-client", observation: "lives in London" }));
  expect((await server.does("search_nodes", { query: "cafe strasse" }))["entities"]).toMatchObject([{ name: "Ada" }]);
  expect((await server.does("search_nodes", { query: "Bea" }))["entities"]).toMatchObject([{ name: "Beatrix" }]);
  await server.does("add_observations", { observations: [{ entityName: "Ada", contents: ["sails"] }] });
}
