// Search by meaning as users run it: the server as a process of its own, and an endpoint on loopback.
import { writeFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { startRaw } from "@oarlock/testing";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../src/graph/sqlite/driver.ts";
import { PATIENCE, PEOPLE } from "../support/embeddings/embedded-memory.ts";
import { EmbeddingsServer, status } from "../support/embeddings/embeddings-server.ts";
import { manyEntities } from "../support/graphs.ts";
import { startServer, type ServerProcess } from "../support/server-process.ts";
import { bin } from "../support/targets.ts";

const KEY = "sk-test-0123456789";

const namesOf = async (server: ServerProcess, query: string): Promise<string[]> => {
  const { entities } = (await server.does("search_nodes", { query })) as { entities: { name: string }[] };
  return entities.map(({ name }) => name);
};

const vectorsIn = (file: string): number => {
  const db = openDatabase(`${file}.vectors`, { readonly: true });
  try {
    return (db.prepare("SELECT count(*) AS count FROM vector").get() as { count: number }).count;
  } finally {
    db.close();
  }
};

/** Until this many texts have vectors. */
const embedded = (file: string, count: number): Promise<void> => expect.poll(() => vectorsIn(file), PATIENCE).toBe(count);

describe("search_nodes", () => {
  it("finds what is said in other words, and what contains the query before it", async () => {
    await using folder = tempFolder();
    await using endpoint = await new EmbeddingsServer().start();
    const file = folder.at("m.db");
    await using server = await startServer(file, ["--embeddings", endpoint.address, "--embeddings-model", "test"]);
    await server.does("create_entities", { entities: PEOPLE });
    await server.create("beverages");
    await embedded(file, 7);
    expect(await namesOf(server, "beverages")).toEqual(["beverages", "Ada"]);
    const { text, structured } = await server.call("search_nodes", { query: "occupation" });
    expect(structured).toMatchObject({ entities: [{ name: "Bob" }], matches: [{ name: "Bob", observation: "works as an engineer" }] });
    expect(text).not.toContain("words only");
    expect(await namesOf(server, "xyzzyx")).toEqual([]);
  });

  it("answers by words, with a remark, while the endpoint is away", async () => {
    await using folder = tempFolder();
    await using endpoint = await new EmbeddingsServer().start();
    const file = folder.at("m.db");
    await using server = await startServer(file, ["--embeddings", endpoint.address]);
    await server.does("create_entities", { entities: PEOPLE });
    await embedded(file, 6);
    await endpoint.stop();
    const { text, structured } = await server.call("search_nodes", { query: "tea" });
    expect(structured).toMatchObject({ entities: [{ name: "Ada" }] });
    expect(text).toContain("Searched by words only: embeddings are not available at the moment.");
    await server.does("create_entities", { entities: [{ name: "Cy", entityType: "person", observations: ["plays the violin"] }] });
    await endpoint.start();
    await embedded(file, 8);
    await expect.poll(() => namesOf(server, "musical instruments"), PATIENCE).toEqual(["Cy"]);
  });

  it("goes on in pages", async () => {
    await using folder = tempFolder();
    await using endpoint = await new EmbeddingsServer().start();
    const file = folder.at("m.db");
    await using server = await startServer(file, ["--embeddings", endpoint.address]);
    const drinks = ["tea", "coffee", "juice", "beer", "water", "cocoa"];
    await server.does("create_entities", {
      entities: drinks.map((drink, at) => ({ name: `P${at}`, entityType: "person", observations: [`prefers ${drink}`] })),
    });
    await embedded(file, 12);
    const names: string[] = [];
    for (let cursor: unknown; ;) {
      const page = await server.does("search_nodes", { query: "favourite beverage", limit: 2, ...(cursor !== undefined && { cursor }) });
      names.push(...(page.entities as { name: string }[]).map(({ name }) => name));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    expect(names.toSorted()).toEqual(drinks.map((_, at) => `P${at}`));
    expect(endpoint.inputs.filter((input) => input === "favourite beverage")).toHaveLength(1);
  });
});

describe("the server", () => {
  it("that is killed while it embeds loses nothing, and goes on where it was", async () => {
    await using folder = tempFolder();
    await using endpoint = await new EmbeddingsServer().start();
    const file = folder.at("m.db");
    const { entities } = manyEntities(60);
    const reached = Promise.withResolvers<void>();
    // From the third batch on, the endpoint does not answer any more.
    endpoint.fault = () => {
      if (endpoint.requests.length < 3) return false;
      reached.resolve();
      return true;
    };
    const first = await startServer(file, ["--embeddings", endpoint.address]);
    await first.does("create_entities", { entities });
    await reached.promise;
    await first.kill();
    const stored = vectorsIn(file);
    expect(stored).toBeGreaterThan(0);
    endpoint.fault = undefined;
    endpoint.requests.length = 0;
    await using second = await startServer(file, ["--embeddings", endpoint.address]);
    expect(await second.names()).toHaveLength(60);
    await embedded(file, 240);
    expect(endpoint.inputs).toHaveLength(240 - stored);
  });

  it("shares the embedding of one memory with a second process", async () => {
    await using folder = tempFolder();
    await using endpoint = await new EmbeddingsServer().start();
    const file = folder.at("m.db");
    const args = ["--embeddings", endpoint.address];
    await using first = await startServer(file, args);
    await using second = await startServer(file, args);
    const { entities } = manyEntities(40);
    await Promise.all([
      first.does("create_entities", { entities: entities.slice(0, 20) }),
      second.does("create_entities", { entities: entities.slice(20) }),
    ]);
    await embedded(file, 160);
    expect(endpoint.inputs.toSorted()).toEqual([...new Set(endpoint.inputs)].toSorted());
    // Whichever embeds: the other one takes over.
    await first.kill();
    await second.does("create_entities", { entities: PEOPLE });
    await embedded(file, 166);
    expect(await namesOf(second, "residence")).toContain("Ada");
  });

  it("keeps the vectors of each scope apart", async () => {
    await using folder = tempFolder();
    await using endpoint = await new EmbeddingsServer().start();
    const file = folder.at("m.db");
    const args = ["--embeddings", endpoint.address];
    await using all = await startServer(file, args);
    await all.does("create_entities", { entities: PEOPLE });
    await embedded(file, 6);
    await using work = await startServer(file, [...args, "--scope=work"]);
    await work.does("create_entities", { entities: [{ name: "Dora", entityType: "person", observations: ["prefers juice"] }] });
    await embedded(folder.at("m.work.db"), 2);
    expect(await namesOf(work, "beverages")).toEqual(["Dora"]);
    expect(await namesOf(all, "beverages")).toEqual(["Ada"]);
  });

  it("leaves the database as it is without embeddings", async () => {
    await using folder = tempFolder();
    await using endpoint = await new EmbeddingsServer().start();
    const schemaOf = async (file: string, args: readonly string[]): Promise<unknown[]> => {
      await using server = await startServer(folder.at(file), args);
      await server.does("create_entities", { entities: PEOPLE });
      if (args.length > 0) await embedded(folder.at(file), 6);
      const db = openDatabase(folder.at(file), { readonly: true });
      try {
        return [db.pragma("user_version"), ...db.prepare("SELECT sql FROM sqlite_schema ORDER BY name").all()];
      } finally {
        db.close();
      }
    };
    expect(await schemaOf("with.db", ["--embeddings", endpoint.address])).toEqual(await schemaOf("without.db", []));
  });

  it("never shows the key", async () => {
    await using folder = tempFolder();
    await using endpoint = await new EmbeddingsServer().start();
    endpoint.fault = status(401, {}, JSON.stringify({ error: { message: `wrong key ${KEY}` } }));
    writeFileSync(folder.at("key"), `${KEY}\n`);
    const args = ["--embeddings", endpoint.address, "--embeddings-key-file", folder.at("key"), "--log-level", "debug"];
    await using server = await startServer(folder.at("m.db"), args);
    await server.does("create_entities", { entities: PEOPLE });
    await expect.poll(() => server.stderr, PATIENCE).toContain("does not accept the key (401). Check --embeddings-key-file");
    const { text } = await server.call("search_nodes", { query: "residence" });
    expect(endpoint.requests[0]?.authorization).toBe(`Bearer ${KEY}`);
    expect(server.stderr + text).not.toContain(KEY);
  });

  it("searches by words where the package of local models is missing", async () => {
    await using folder = tempFolder();
    await using server = await startServer(folder.at("m.db"), ["--embeddings", "local"]);
    await server.does("create_entities", { entities: PEOPLE });
    await expect.poll(() => server.stderr, PATIENCE).toContain("Run: npm install @huggingface/transformers");
    expect(await namesOf(server, "tea")).toEqual(["Ada"]);
  });
});

/** A module for --import that hides an installed package, as on a system for which it has no build. */
const hiding = (name: string): string =>
  `data:text/javascript,${encodeURIComponent(`
    import Module from "node:module";
    const resolve = Module._resolveFilename;
    Module._resolveFilename = function (request, ...more) {
      if (request === ${JSON.stringify(name)}) throw Object.assign(new Error("not found"), { code: "MODULE_NOT_FOUND" });
      return resolve.call(this, request, ...more);
    };`)}`;

describe("a start", () => {
  it("without sqlite-vec warns, and searches go by words", async () => {
    await using folder = tempFolder();
    await using endpoint = await new EmbeddingsServer().start();
    const env = { NODE_OPTIONS: `--import=${hiding("sqlite-vec")}` };
    await using server = await startServer(folder.at("m.db"), ["--embeddings", endpoint.address], env);
    await server.does("create_entities", { entities: PEOPLE });
    expect(await namesOf(server, "tea")).toEqual(["Ada"]);
    const { text } = await server.call("search_nodes", { query: "residence" });
    expect(text).toContain("Searched by words only: there are no embeddings here.");
    expect(server.stderr).toContain("sqlite-vec cannot be loaded (MODULE_NOT_FOUND)");
    expect(endpoint.requests).toEqual([]);
  });

  it.each([
    ["an address of another protocol", ["--embeddings=ftp://localhost"], "Invalid value for --embeddings: expected http://"],
    ["a password in the address", ["--embeddings=http://ann:secret@localhost"], "without user and password"],
    ["a model without an endpoint", ["--embeddings-model=m"], "--embeddings-model needs --embeddings."],
    ["a key file that is missing", ["--embeddings=http://localhost", "--embeddings-key-file=/nowhere"], "cannot be read (ENOENT)"],
    ["a key for a local model", ["--embeddings=local", `--embeddings-key-file=${import.meta.filename}`], "needs no key"],
    ["a memory in Postgres", ["--embeddings=http://localhost", "--db=postgres://localhost/m"], "needs a memory in SQLite"],
  ])("with %s fails with exit code 2", async (_what, args, message) => {
    await using folder = tempFolder();
    await using server = startRaw(bin([`--db=${folder.at("m.db")}`, ...args]));
    const { code } = await server.exit();
    expect(server.stderr).toContain(message);
    expect(server.stderr).not.toContain("secret");
    expect(code).toBe(2);
  });
});
