// Moves of one memory through every kind of store, with its history.
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { entity, relation } from "../../support/graphs.ts";
import { serveInProcess } from "../../support/in-process.ts";
import { runCommand as run } from "../../support/run-command.ts";
import { dbOf } from "../../support/store-under-test.ts";

/** Facts of all kinds: superseded, dated, deleted, renamed, merged, purged, with tags and odd characters. */
async function fillWithHistory(file: string): Promise<void> {
  await using server = await serveInProcess(file, { allowPurge: true });
  const call = (name: string, args: object) => server.does(name, { ...args });
  await call("create_entities", {
    entities: [entity("Ada", "person", "lives in London", "nul \0 and Straße"), entity("Bea", "person", "owns a boat")],
  });
  await call("create_entities", {
    entities: [{ ...entity("Gone", "thing", "was here"), tags: ["old"] }, entity("B.", "person", "sails"), entity("Secret", "x", "y")],
  });
  await call("create_relations", {
    relations: [relation("Ada", "sister_of", "Bea"), relation("Bea", "had", "Gone"), relation("B.", "knows", "Ada")],
  });
  await call("add_observations", {
    observations: [{ entityName: "Ada", contents: ["lives in Porto"], supersedes: ["lives in London"], validFrom: "2024-05" }],
  });
  await call("delete_entities", { entityNames: ["Gone"] });
  await call("update_entities", {
    updates: [
      { name: "Bea", newName: "Beatrix" },
      { name: "B.", newName: "Beatrix", merge: true },
    ],
  });
  await call("delete_entities", { entityNames: ["Secret"], purge: true });
}

/** What a client sees of a memory. */
async function seen(file: string): Promise<unknown[]> {
  await using server = await serveInProcess(file);
  const results = [];
  for (const entityName of ["Ada", "Beatrix"]) results.push((await server.call("get_history", { entityName })).structured);
  for (const query of ["boat", "PORTO", "strasse", ""]) results.push((await server.call("search_nodes", { query })).structured);
  results.push((await server.call("read_graph", {})).structured);
  return results;
}

const moved = async (from: string, to: string) => await run(["move", "--from", dbOf(from), "--to", dbOf(to)]);

/** On Postgres a .db file stands for a schema, so that `old.sqlite` is the one that is a file. */
export function moveTests(): void {
  test("moves a memory from store to store and back, and clients see the same", async () => {
    await using folder = tempFolder();
    const places = ["a.sqlite", "b.jsonl", "c.db", "d.db", "e.sqlite", "f.jsonl"].map((name) => folder.at(name));
    const [first = ""] = places;
    await fillWithHistory(first);
    const before = await seen(first);
    for (const [at, to] of places.slice(1).entries()) {
      const { code, stderr } = await moved(places[at] ?? "", to);
      expect([code, ...stderr]).toEqual([
        0,
        expect.stringContaining("past ones included, and both are equal."),
        expect.stringContaining("The old place is as it was."),
      ]);
    }
    for (const place of places.slice(1)) expect(await seen(place), place).toEqual(before);
    for (const place of places) expect(await run(["verify", "--db", dbOf(place)]), place).toMatchObject({ code: 0 });
    // New facts get ids above those of the old ones, also of what was purged.
    const last = places.at(-1) ?? "";
    await using server = await serveInProcess(last);
    await server.call("create_entities", { entities: [entity("New", "t", "after the move")] });
    expect(await server.names()).toContain("New");
  });

  test("moves the memories of all users, and replaces none", async () => {
    await using folder = tempFolder();
    for (const name of ["a.sqlite", "a.work.sqlite"]) await fillWithHistory(folder.at(name));
    expect(await moved(folder.at("a.sqlite"), folder.at("b.db"))).toMatchObject({ code: 0, stderr: { length: 3 } });
    const again = await moved(folder.at("a.sqlite"), folder.at("b.db"));
    expect([again.code, again.stderr.join()]).toEqual([3, expect.stringContaining("a move replaces nothing")]);
    const back = await moved(folder.at("b.db"), folder.at("c.sqlite"));
    expect(back).toMatchObject({ code: 0 });
    expect(await seen(folder.at("c.work.sqlite"))).toEqual(await seen(folder.at("a.work.sqlite")));
    expect(await run(["move", "--from", folder.at("none.sqlite"), "--to", folder.at("d.sqlite")])).toMatchObject({ code: 3 });
    expect(await run(["move", "--from", folder.at("a.sqlite")])).toMatchObject({ code: 2 });
  });
}
