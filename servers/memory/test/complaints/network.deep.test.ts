// A server of which other programs need a network.
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { entity } from "../support/graphs.ts";
import { ServerProcess } from "../support/server-process.ts";
import { bin } from "../support/targets.ts";

test("getzep/graphiti#1121 getzep/graphiti#1135 the server works without a key, a model or a network", async () => {
  await using folder = tempFolder();
  const own = bin([`--db=${folder.at("m.db")}`]);
  // In an empty network namespace, where the machine allows it.
  const words = [own.command, ...(own.args ?? [])].map((word) => `'${word}'`).join(" ");
  await using server = await new ServerProcess({
    ...own,
    command: "sh",
    args: ["-c", `unshare -rn true 2>/dev/null && exec unshare -rn ${words}; exec ${words}`],
  }).begin();
  await server.does("create_entities", { entities: [entity("a", "t", "the sea")] });
  expect((await server.does("search_nodes", { query: "sea" }))["entities"]).toHaveLength(1);
});
