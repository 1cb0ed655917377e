// Search by meaning through the tools, with an endpoint on loopback, and what an operator may configure.
import { writeFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { describe, expect, it } from "vitest";
import { configuredEmbeddings, type EmbeddingsFlags } from "../../../src/configured-embeddings.ts";
import { configuredLocation } from "../../../src/configured-location.ts";
import { ConfigurationError } from "../../../src/configured-embeddings.ts";
import { openDatabase } from "../../../src/graph/sqlite/driver.ts";
import { PATIENCE, PEOPLE } from "./support/embedded-memory.ts";
import { EmbeddingsServer, status } from "./support/embeddings-server.ts";
import { embedded, namesOf } from "./support/vectors-in.ts";
import { serveInProcess, type InProcessServer } from "../../support/in-process.ts";
import { allowWaiting } from "../../support/patience.ts";

allowWaiting();

const KEY = "sk-test-0123456789";

/** A server on a file, with the switches of embeddings. */
function serve(file: string, flags: EmbeddingsFlags, scope?: string): Promise<InProcessServer> {
  return serveInProcess(file, { embeddings: configuredEmbeddings(flags, configuredLocation(file, {})), scope });
}

describe("search_nodes", () => {
  it("finds what is said in other words, and what contains the query before it", async () => {
    await using folder = tempFolder();
    await using endpoint = await new EmbeddingsServer().start();
    const file = folder.at("m.db");
    await using server = await serve(file, { embeddings: endpoint.address, embeddingsModel: "test" });
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
    await using server = await serve(file, { embeddings: endpoint.address });
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
    await using server = await serve(file, { embeddings: endpoint.address });
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
  it("keeps the vectors of each scope apart", async () => {
    await using folder = tempFolder();
    await using endpoint = await new EmbeddingsServer().start();
    const file = folder.at("m.db");
    await using all = await serve(file, { embeddings: endpoint.address });
    await all.does("create_entities", { entities: PEOPLE });
    await embedded(file, 6);
    await using work = await serve(file, { embeddings: endpoint.address }, "work");
    await work.does("create_entities", { entities: [{ name: "Dora", entityType: "person", observations: ["prefers juice"] }] });
    await embedded(folder.at("m.work.db"), 2);
    expect(await namesOf(work, "beverages")).toEqual(["Dora"]);
    expect(await namesOf(all, "beverages")).toEqual(["Ada"]);
  });

  it("leaves the database as it is without embeddings", async () => {
    await using folder = tempFolder();
    await using endpoint = await new EmbeddingsServer().start();
    const schemaOf = async (file: string, flags: EmbeddingsFlags): Promise<unknown[]> => {
      await using server = await serve(folder.at(file), flags);
      await server.does("create_entities", { entities: PEOPLE });
      if (flags.embeddings !== undefined) await embedded(folder.at(file), 6);
      const db = openDatabase(folder.at(file), { readonly: true });
      try {
        return [db.pragma("user_version"), ...db.prepare("SELECT sql FROM sqlite_schema ORDER BY name").all()];
      } finally {
        db.close();
      }
    };
    expect(await schemaOf("with.db", { embeddings: endpoint.address })).toEqual(await schemaOf("without.db", {}));
  });

  it("never shows the key", async () => {
    await using folder = tempFolder();
    await using endpoint = await new EmbeddingsServer().start();
    endpoint.fault = status(401, {}, JSON.stringify({ error: { message: `wrong key ${KEY}` } }));
    writeFileSync(folder.at("key"), `${KEY}\n`);
    await using server = await serve(folder.at("m.db"), { embeddings: endpoint.address, embeddingsKeyFile: folder.at("key") });
    await server.does("create_entities", { entities: PEOPLE });
    await expect.poll(() => server.stderr, PATIENCE).toContain("does not accept the key (401). Check --embeddings-key-file");
    const { text } = await server.call("search_nodes", { query: "residence" });
    expect(endpoint.requests[0]?.authorization).toBe(`Bearer ${KEY}`);
    expect(server.stderr + text).not.toContain(KEY);
  });
});

/** What a start with these switches fails with. */
function refusalOf(flags: EmbeddingsFlags, db: string): string {
  try {
    configuredEmbeddings(flags, configuredLocation(db, {}));
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  throw new Error("not refused");
}

describe("a start", () => {
  it.each<[string, EmbeddingsFlags, string, string?]>([
    ["an address of another protocol", { embeddings: "ftp://localhost" }, "Invalid value for --embeddings: expected http://"],
    ["a password in the address", { embeddings: "http://ann:secret@localhost" }, "without user and password"],
    ["a model without an endpoint", { embeddingsModel: "m" }, "--embeddings-model needs --embeddings."],
    ["a missing key file", { embeddings: "http://localhost", embeddingsKeyFile: "/nowhere" }, "cannot be read (ENOENT)"],
    ["a key for a local model", { embeddings: "local", embeddingsKeyFile: import.meta.filename }, "needs no key"],
    ["a path instead of a package", { embeddings: "local:../models" }, "expected the name of an installed package"],
    ["a model beside that of a package", { embeddings: "local:x", embeddingsModel: "m" }, "Leave out --embeddings-model."],
    ["a memory in Postgres", { embeddings: "http://localhost" }, "needs a memory in SQLite", "postgres://localhost/m"],
  ])("with %s is refused", (_what, flags, message, db = "/m.db") => {
    const refusal = refusalOf(flags, db);
    expect(refusal).toContain(message);
    expect(refusal).not.toContain("secret");
  });
});
