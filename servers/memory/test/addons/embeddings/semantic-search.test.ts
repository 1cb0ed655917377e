// Search by meaning on a real endpoint and real files: what is stored is embedded later, and follows the memory.
import { copyFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { vectorsPathOf } from "../../../src/graph/location.ts";
import { updateEntities } from "../../../src/graph/write/update.ts";
import { inspectMemory, searchMemory } from "../../../src/search-memory.ts";
import { deleteEntities } from "../../../src/graph/write/deletion.ts";
import { PATIENCE, PEOPLE, setUp } from "./support/embedded-memory.ts";
import { status } from "./support/embeddings-server.ts";
import { entity, manyEntities } from "../../support/graphs.ts";
import { allowWaiting } from "../../support/patience.ts";

allowWaiting();

const TEXTS_OF_PEOPLE = 6;

describe("search by meaning", () => {
  it("finds what is said in other words", async () => {
    await using setup = await setUp();
    const memory = setup.open();
    await memory.create(PEOPLE);
    await memory.embedded(TEXTS_OF_PEOPLE);
    expect(await memory.names("beverages")).toEqual(["Ada"]);
    expect(await memory.names("residence")).toEqual(["Ada"]);
    expect(await memory.names("occupation")).toEqual(["Bob"]);
    expect(await memory.remark("occupation")).toBeUndefined();
    expect(memory.warnings).toEqual([]);
    expect(statSync(vectorsPathOf(memory.database)).mode & 0o777).toBe(0o600);
  });

  it("counts in the scores that an inspection shows", async () => {
    await using setup = await setUp();
    const memory = setup.open();
    await memory.create(PEOPLE);
    await memory.embedded(TEXTS_OF_PEOPLE);
    const { inspection } = await inspectMemory(
      { memory: memory.memory, preference: "match" },
      { query: "beverages", detail: "full", maxBytes: 1000 },
    );
    expect(inspection.facts[0]).toMatchObject({ entity: "Ada", fact: "prefers tea", hasWholeQuery: false });
    expect(inspection.facts[0]?.parts?.meaning).toBeGreaterThan(0);
  });

  it("uses the vectors that there are while others are made, finds the rest by words, and counts those that wait", async () => {
    await using setup = await setUp();
    const memory = setup.open();
    await memory.create(PEOPLE);
    await memory.embedded(TEXTS_OF_PEOPLE);
    const pending = Promise.withResolvers<boolean>();
    setup.server.fault = (_response, { input }) => input.some((text) => text.startsWith("Cy")) && pending.promise;
    await memory.create([entity("Cy", "person", "plays the violin")]);
    const search = async (query: string): Promise<unknown> => {
      const options = { query, detail: "full", maxBytes: 4000 } as const;
      const { page, remarks } = await searchMemory({ memory: memory.memory, preference: "match" }, options);
      return { names: page.entities.map(({ name }) => name), remarks };
    };
    const inPart = ["Found by meaning only in part: 2 texts wait for embeddings."];
    expect(await search("city")).toEqual({ names: ["Ada"], remarks: inPart }); // Lisbon, by meaning only
    expect(await search("violin")).toEqual({ names: ["Cy"], remarks: inPart });
    pending.resolve(false);
    await memory.embedded(TEXTS_OF_PEOPLE + 2);
    expect(await search("violin")).toEqual({ names: ["Cy"], remarks: [] });
  });

  it("asks for the vector of a query once", async () => {
    await using setup = await setUp();
    const memory = setup.open();
    await memory.create(PEOPLE);
    await memory.embedded(TEXTS_OF_PEOPLE);
    await Promise.all(Array.from({ length: 5 }, () => memory.names("beverages")));
    expect(setup.server.inputs.filter((input) => input === "beverages")).toHaveLength(1);
  });

  it("embeds nothing again after a restart", async () => {
    await using setup = await setUp();
    const before = setup.open();
    await before.create(PEOPLE);
    await before.embedded(TEXTS_OF_PEOPLE);
    await before[Symbol.asyncDispose]();
    setup.server.requests.length = 0;
    const after = setup.open();
    expect(await after.names("beverages")).toEqual(["Ada"]);
    expect(setup.server.inputs).toEqual(["beverages"]);
  });

  it("sends the words before texts and queries that a model expects", async () => {
    await using setup = await setUp();
    const memory = setup.open({ model: "nomic-embed-text" });
    await memory.create(PEOPLE);
    await memory.embedded(TEXTS_OF_PEOPLE);
    await memory.names("beverages");
    expect(setup.server.inputs).toEqual(expect.arrayContaining(["search_document: Ada: prefers tea", "search_query: beverages"]));
  });
});

it("embeds facts without the dates with which they begin", async () => {
  await using setup = await setUp();
  const memory = setup.open();
  await memory.create([entity("Ada", "person", "[2023-05-08 13:56] Ada: I adopted a puppy", "May 8, 2023, moved", "2023-05-08")]);
  await memory.embedded(4);
  expect(setup.server.inputs).toEqual(["Ada (person)", "Ada: Ada: I adopted a puppy", "Ada: moved", "Ada: 2023-05-08"]);
});

describe("the vectors", () => {
  it("follow deletions, new names and merges", async () => {
    await using setup = await setUp();
    const memory = setup.open();
    await memory.create([...PEOPLE, entity("Cy", "person", "plays the violin")]);
    await memory.embedded(8);
    await memory.memory.write("test", (rows, call) => updateEntities(rows, call, [{ name: "Ada", newName: "Augusta" }], false));
    await expect.poll(() => setup.server.inputs, PATIENCE).toEqual(expect.arrayContaining(["Augusta (person)", "Augusta: prefers tea"]));
    await memory.embedded(8);
    expect(await memory.names("beverages")).toEqual(["Augusta"]);
    await memory.memory.write("test", (rows, call) => updateEntities(rows, call, [{ name: "Cy", newName: "Bob", merge: true }], true));
    await memory.embedded(7);
    expect(await memory.names("musical instrument")).toEqual(["Bob"]);
    await memory.memory.writeInSlices("test", (rows, call) => deleteEntities(rows, call, ["Augusta"]));
    await memory.embedded(4);
    expect(await memory.names("beverages")).toEqual([]);
  });

  it("are purged together with their texts", async () => {
    await using setup = await setUp();
    const memory = setup.open();
    await memory.create(PEOPLE);
    await memory.embedded(TEXTS_OF_PEOPLE);
    await memory.memory.purge("test", { kind: "entities", names: ["Ada"] });
    expect(memory.vectorCount()).toBe(3);
  });

  it("are purged where this process has no embeddings", async () => {
    await using setup = await setUp();
    const memory = setup.open();
    await memory.create(PEOPLE);
    await memory.embedded(TEXTS_OF_PEOPLE);
    await memory[Symbol.asyncDispose]();
    await using without = setup.open({ embeddings: undefined, model: undefined });
    await without.memory.purge("test", { kind: "observations", deletions: [{ entityName: "Ada", observations: ["prefers tea"] }] });
    expect(memory.vectorCount()).toBe(TEXTS_OF_PEOPLE - 1);
  });

  it("are computed again for another model", async () => {
    await using setup = await setUp();
    const before = setup.open();
    await before.create(PEOPLE);
    await before.embedded(TEXTS_OF_PEOPLE);
    await before[Symbol.asyncDispose]();
    setup.server.requests.length = 0;
    setup.server.dimensions = 64;
    const after = setup.open({ model: "other" });
    await expect.poll(() => after.names("beverages"), PATIENCE).toEqual(["Ada"]);
    expect(new Set(setup.server.requests.map(({ model }) => model))).toEqual(new Set(["other"]));
    expect(after.warnings).toEqual([]);
  });

  it("are computed again where the endpoint has another model under the same name", async () => {
    await using setup = await setUp();
    const memory = setup.open();
    await memory.create(PEOPLE);
    await memory.embedded(TEXTS_OF_PEOPLE);
    setup.server.dimensions = 64;
    expect(await memory.remark("residence")).toBe("Searched by words only: the embeddings are of another model.");
    await expect.poll(() => memory.names("residence"), PATIENCE).toEqual(["Ada"]);
    expect(memory.warnings).toEqual([expect.stringContaining("has another model than before (64 numbers for each text, not 256)")]);
  });

  it("are computed again for a backup that is put back", async () => {
    await using setup = await setUp();
    const before = setup.open();
    await before.create(PEOPLE);
    await before.embedded(TEXTS_OF_PEOPLE);
    await before.memory.open().then(({ store }) => store.db.exec("VACUUM INTO '" + setup.folder.at("copy.db") + "'"));
    await before.create([entity("Cy", "person", "sails")]);
    await before.embedded(TEXTS_OF_PEOPLE + 2);
    await before[Symbol.asyncDispose]();
    for (const ending of ["-wal", "-shm"]) rmSync(before.database + ending, { force: true });
    copyFileSync(setup.folder.at("copy.db"), before.database);
    const after = setup.open();
    await after.create([entity("Dora", "person", "paints")]);
    await expect.poll(async () => (await after.names("artist"))[0], PATIENCE).toBe("Dora");
    expect(setup.server.inputs.filter((input) => input === "Ada: prefers tea")).toHaveLength(2);
  });

  it("replace a damaged file", async () => {
    await using setup = await setUp();
    const before = setup.open();
    await before.create(PEOPLE);
    await before.embedded(TEXTS_OF_PEOPLE);
    await before[Symbol.asyncDispose]();
    writeFileSync(vectorsPathOf(before.database), "not a database".repeat(1000));
    const after = setup.open();
    await expect.poll(() => after.names("residence"), PATIENCE).toEqual(["Ada"]);
  });

  it("are made by one of several processes", async () => {
    await using setup = await setUp();
    const [first, second] = [setup.open(), setup.open()];
    await Promise.all([first.memory.open(), second.memory.open()]);
    await first.create(PEOPLE);
    await second.create([entity("Cy", "person", "sails")]);
    await first.embedded(TEXTS_OF_PEOPLE + 2);
    expect(await second.names("residence")).toEqual(["Ada"]);
    await first[Symbol.asyncDispose]();
    await second.create([entity("Dora", "person", "paints")]);
    await second.embedded(TEXTS_OF_PEOPLE + 4);
    const texts = setup.server.inputs.filter((input) => input.includes(": ") || input.includes("("));
    expect(texts.toSorted()).toEqual([...new Set(texts)].toSorted());
  });

  it("are not made with --read-only where there is no file for them", async () => {
    await using setup = await setUp();
    const memory = setup.open({}, true);
    await memory.create(PEOPLE);
    expect(await memory.remark("residence")).toBe("Searched by words only: there are no embeddings here.");
    expect(setup.server.requests).toEqual([]);
    expect(memory.warnings).toEqual([expect.stringContaining("--read-only")]);
  });
});

describe("an endpoint", () => {
  it("that is away at the start gets the texts later", async () => {
    await using setup = await setUp();
    await setup.server.stop();
    const memory = setup.open();
    await memory.create(PEOPLE);
    await expect.poll(() => memory.warnings, PATIENCE).toEqual([expect.stringContaining("does not answer (ECONNREFUSED)")]);
    expect(await memory.remark("beverages")).toBe("Searched by words only: no text is embedded yet.");
    await setup.server.start();
    await memory.embedded(TEXTS_OF_PEOPLE);
  });

  it("that goes away in the middle gets the other texts later, each once", async () => {
    await using setup = await setUp();
    const { entities } = manyEntities(40);
    setup.server.fault = () => {
      if (setup.server.requests.length === 3) void setup.server.stop();
      return false;
    };
    const memory = setup.open();
    await memory.create(entities);
    await expect.poll(() => memory.warnings, PATIENCE).toHaveLength(1);
    const stored = memory.vectorCount();
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(160);
    setup.server.fault = undefined;
    setup.server.requests.length = 0;
    await setup.server.start();
    await memory.embedded(160);
    expect(setup.server.inputs).toHaveLength(160 - stored);
    expect(Math.max(...setup.server.requests.map(({ input }) => input.length))).toBeLessThanOrEqual(32);
  });

  it.each([
    [401, "does not accept the key (401). Check --embeddings-key-file"],
    [429, "asks to wait (429)"],
    [200, "something that is not JSON"],
  ])("that answers with status %i is reported once", async (code, problem) => {
    await using setup = await setUp();
    setup.server.fault = status(code, { "retry-after": "60" }, "no");
    const memory = setup.open({ key: "sk-secret-1" });
    await memory.create(PEOPLE);
    await expect.poll(() => memory.warnings, PATIENCE).toEqual([expect.stringContaining(problem)]);
    expect(memory.warnings.join()).not.toContain("sk-secret-1");
    expect(await memory.names("residence")).toEqual([]);
    expect(memory.warnings).toHaveLength(1);
  });

  it("that refuses long texts gets them shortened, and the others whole", async () => {
    await using setup = await setUp();
    setup.server.fault = (response, request) => request.input.some(({ length }) => length > 600) && status(400)(response, request);
    const memory = setup.open();
    await memory.create([...PEOPLE, entity("Log", "note", "lives ".repeat(500), "x".repeat(3000))]);
    await memory.embedded(TEXTS_OF_PEOPLE + 3);
    expect(setup.server.inputs).toContain("Ada: prefers tea");
    expect(memory.warnings).toEqual([]);
  });

  it("that refuses every text loses none of them", async () => {
    await using setup = await setUp();
    setup.server.fault = status(400, {}, '{"error":{"message":"no such model"}}');
    const memory = setup.open();
    await memory.create(PEOPLE);
    await expect.poll(() => memory.warnings, PATIENCE).toEqual([expect.stringContaining("400: no such model). Check --embeddings")]);
    expect(memory.vectorCount()).toBe(0);
  });
});
