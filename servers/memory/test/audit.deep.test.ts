// --audit on a real process: calls that run at the same time each have the entities of their own.
import { connectTo, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { bin } from "./support/targets.ts";

test("reports to each of many parallel calls its own changes first", async () => {
  await using folder = tempFolder();
  const names = Array.from({ length: 20 }, (_, at) => `entity ${at}`);
  {
    await using wired = await connectTo(bin(["--db", folder.at("m.db"), "--audit", folder.at("audit.jsonl")]));
    const create = (name: string): Promise<unknown> =>
      wired.client.call("create_entities", { entities: [{ name, entityType: "t", observations: [] }] });
    await Promise.all(names.map(create));
    await Promise.all(names.map((name) => wired.client.call("delete_entities", { entityNames: ["filler", name] })));
  }
  const lines = folder.read("audit.jsonl").trimEnd().split("\n");
  const entries = lines.map((line) => JSON.parse(line) as { tool: string; touched: string[] }); // the format under test
  const touchedBy = (tool: string): Set<string> =>
    new Set(entries.filter((entry) => entry.tool === tool).map(({ touched }) => touched.join(", ")));
  expect(touchedBy("create_entities")).toEqual(new Set(names.map((name) => `${name}, t`)));
  expect(touchedBy("delete_entities")).toEqual(new Set(names.map((name) => `${name}, filler`)));
});
