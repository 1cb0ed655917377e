// What deletions cost beside additions, in a large store. Rule M4.
import { cpuMs, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { entity } from "../support/graphs.ts";
import { serveInProcess } from "../support/in-process.ts";

const other = (at: number) => entity(`e${at}`, "t", `fact number ${at} about harbours`, `another one, ${at * 7}`);

test("rule M4: deleting costs no more CPU time than creating, also in a large store", async () => {
  await using folder = tempFolder();
  await using server = await serveInProcess(folder.at("m.db"));
  const cost = async (act: () => Promise<unknown>): Promise<number> => {
    const before = cpuMs();
    await act();
    return cpuMs() - before;
  };
  for (let from = 0; from < 20_000; from += 5000)
    await server.does("create_entities", { entities: Array.from({ length: 5000 }, (_, at) => other(from + at)) });
  const texts = Array.from({ length: 5000 }, (_, at) => `fact number ${at} of many`);
  const adding = await cost(() => server.does("add_observations", { observations: [{ entityName: "e1", contents: texts }] }));
  const deleting = await cost(() => server.does("delete_observations", { deletions: [{ entityName: "e1", observations: texts }] }));
  expect(deleting).toBeLessThan(5 * adding + 500);
});
