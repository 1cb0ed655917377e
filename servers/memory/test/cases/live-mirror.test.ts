// The JSONL file follows the memory, and the memory follows changes of the file by other programs. Rule M2.
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { entity, jsonl, relation } from "../support/graphs.ts";
import { serveInProcess } from "../support/in-process.ts";
import { serveJsonl } from "../support/jsonl-store.ts";
import { namesIn, recordsIn } from "../support/mirror-file.ts";
import { allowWaiting, until } from "../support/patience.ts";

allowWaiting();

const A = entity("a", "t", "first");
const B = entity("b", "t", "second");
const R = relation("a", "knows", "b");
const line = (record: unknown): string => JSON.stringify(record);

describe("rule M2: the file is a live mirror", () => {
  test("follows each change, with mode 0600 and a final newline", async () => {
    await using folder = tempFolder();
    const file = folder.at("m.jsonl");
    await using server = await serveInProcess(file);
    await server.does("create_entities", { entities: [A, B] });
    await server.does("create_relations", { relations: [R] });
    await until(
      () => (existsSync(file) ? readFileSync(file, "utf8") : ""),
      (text) => text === jsonl([A, B], [R]),
    );
    for (const name of readdirSync(folder.path)) expect(statSync(folder.at(name)).mode & 0o077, name).toBe(0);
  });

  test("reads changes by another program while it runs: additions, deletions, changes", async () => {
    await using here = await serveJsonl(jsonl([A, B], [R]));
    const { server, file } = here;
    expect(await server.names()).toEqual(["a", "b"]);
    writeFileSync(file, jsonl([entity("a", "t", "first", "more"), entity("c", "t")], [relation("a", "likes", "c")]));
    const wanted = { entities: [entity("a", "t", "first", "more"), entity("c", "t")], relations: [relation("a", "likes", "c")] };
    const seen = await until(
      () => server.graph(),
      ({ entities }) => entities.some(({ name }) => name === "c") && !entities.some(({ name }) => name === "b"),
    );
    expect(seen).toEqual(wanted);
  });

  test("reads changes at the start that were made while no server ran, deletions included", async () => {
    await using here = await serveJsonl(jsonl([A, B], [R]));
    await here.server.create("ours");
    await here.server.close();
    const text = readFileSync(here.file, "utf8");
    const records = text.split("\n").filter((one) => !one.includes('"b"'));
    writeFileSync(here.file, `${records.join("\n").trimEnd()}\n${line({ type: "entity", ...entity("theirs", "t") })}\n`);
    await using again = await serveInProcess(here.file);
    expect(await again.names()).toEqual(["a", "ours", "theirs"]);
    expect((await again.graph()).relations).toEqual([]);
  });

  test("keeps changes of the server when another program writes the file from an older state", async () => {
    await using here = await serveJsonl(jsonl([A]));
    const { server, file } = here;
    await server.names();
    // The other program has read the file before this change and writes it afterwards.
    const read = readFileSync(file, "utf8");
    await server.create("ours");
    writeFileSync(file, `${read}${line({ type: "entity", ...entity("theirs", "t") })}\n`);
    const names = await until(
      () => server.names(),
      (names) => names.includes("theirs"),
    );
    expect(names.toSorted()).toEqual(["a", "ours", "theirs"]);
    await server.close();
    expect(namesIn(file).toSorted()).toEqual(["a", "ours", "theirs"]);
  });

  test.each([
    ["an empty file", ""],
    ["blank lines", "\n \r\n"],
    ["an empty list", "[]"],
    ["lines without records", "<html>\n"],
  ])("takes %s for a missing one: nothing is deleted, and the file is written again", async (_what, content) => {
    await using here = await serveJsonl(jsonl([A, B], [R]));
    await here.server.names();
    await here.server.close();
    writeFileSync(here.file, content);
    await using again = await serveInProcess(here.file);
    expect(await again.graph()).toEqual({ entities: [A, B], relations: [R] });
    expect(again.stderr).toContain("m.jsonl has no records: it counts as missing");
    await again.close();
    expect(recordsIn(here.file)).toHaveLength(3);
  });

  test("keeps a link to the file, and writes its target", async () => {
    await using folder = tempFolder({ real: { "m.jsonl": jsonl([A]) }, here: {} });
    symlinkSync("../real/m.jsonl", folder.at("here", "m.jsonl"));
    await using server = await serveInProcess(folder.at("here", "m.jsonl"));
    await server.create("new");
    await server.close();
    expect(lstatSync(folder.at("here", "m.jsonl")).isSymbolicLink()).toBe(true);
    expect(lstatSync(folder.at("real", "m.jsonl")).isSymbolicLink()).toBe(false);
    expect(namesIn(folder.at("real", "m.jsonl"))).toEqual(["a", "new"]);
  });

  test("loses neither change when another program writes at the same time", async () => {
    await using here = await serveJsonl(jsonl([A]));
    const { server, file } = here;
    const appended: string[] = [];
    for (let round = 0; round < 20; round++) {
      await server.create(`ours ${round}`);
      if (round % 5 !== 0) continue;
      const own = `theirs ${round}`;
      writeFileSync(file, line({ type: "entity", ...entity(own, "t") }) + "\n", { flag: "a" });
      appended.push(own);
    }
    const names = await until(
      () => server.names(),
      (names) => appended.every((name) => names.includes(name)),
    );
    expect(names).toHaveLength(1 + 20 + appended.length);
    await server.close();
    expect(namesIn(file).toSorted()).toEqual(names.toSorted());
  });
});
