// The audit file begins with what a call has changed (L6): names that are only in its arguments do not push it out.
import { reportedChanges } from "@oarlock/testing";
import { expect, test } from "vitest";
import { serveMemory } from "./support/memory-fixture.ts";

const FILLERS = Array.from({ length: 50 }, (_, at) => `filler ${at}`);

test.each<[tool: string, args: object, names: string[]]>([
  [
    "create_entities",
    {
      entities: [
        { name: "Ada", entityType: "t", observations: [] },
        { name: "New", entityType: "t", observations: ["secret"] },
      ],
    },
    ["New"],
  ],
  ["create_relations", { relations: [{ from: "Ada", to: "Bea", relationType: "likes" }] }, ["Ada", "Bea", "likes"]],
  ["add_observations", { observations: [{ entityName: "Ada", contents: ["secret"] }] }, ["Ada"]],
  ["delete_entities", { entityNames: [...FILLERS, "Ada"] }, ["Ada"]],
  ["delete_observations", { deletions: [...FILLERS, "Ada"].map((entityName) => ({ entityName, observations: ["fact"] })) }, ["Ada"]],
  [
    "delete_relations",
    { relations: [...FILLERS, "Bea"].map((to) => ({ from: "Ada", to, relationType: "knows" })) },
    ["Ada", "Bea", "knows"],
  ],
  ["update_entities", { updates: [{ name: "Ada", newName: "Eve" }] }, ["Ada", "Eve"]],
  ["delete_entities", { entityNames: [...FILLERS, "Ada"], purge: true }, ["Ada"]],
  ["delete_observations", { deletions: [{ entityName: "Ada", observations: ["fact"] }], purge: true }, ["Ada"]],
  ["delete_relations", { relations: [{ from: "Ada", to: "Bea", relationType: "knows" }], purge: true }, ["Ada", "Bea", "knows"]],
])("%s reports what it changes", async (tool, args, names) => {
  await using wired = await serveMemory({
    entities: ["Ada", "Bea"].map((name) => ({ name, entityType: "person", observations: ["fact"] })),
    relations: [{ from: "Ada", to: "Bea", relationType: "knows" }],
  });
  const reported = await reportedChanges(() => wired.client.call(tool, { ...args }));
  expect(reported).toEqual(names);
});
