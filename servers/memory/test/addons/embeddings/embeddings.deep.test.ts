// Search by meaning as users run it: the server as a process of its own that is killed, is one of two, or lacks a package.
import { startRaw, tempFolder } from "@oarlock/testing";
import { describe, expect, it } from "vitest";
import { PATIENCE, PEOPLE } from "./support/embedded-memory.ts";
import { EmbeddingsServer, status } from "./support/embeddings-server.ts";
import { embedded, namesOf, vectorsIn } from "./support/vectors-in.ts";
import { manyEntities } from "../../support/graphs.ts";
import { startServer } from "../../support/server-process.ts";
import { bin } from "../../support/targets.ts";

const KEY = "sk-test-0123456789";

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

  it("never shows the key, also in its log", async () => {
    await using folder = tempFolder({ key: `${KEY}\n` });
    await using endpoint = await new EmbeddingsServer().start();
    endpoint.fault = status(401, {}, JSON.stringify({ error: { message: `wrong key ${KEY}` } }));
    const args = ["--embeddings", endpoint.address, "--embeddings-key-file", folder.at("key"), "--log-level", "debug"];
    await using server = await startServer(folder.at("m.db"), args);
    await server.does("create_entities", { entities: PEOPLE });
    await expect.poll(() => server.stderr, PATIENCE).toContain("does not accept the key (401). Check --embeddings-key-file");
    expect(endpoint.requests[0]?.authorization).toBe(`Bearer ${KEY}`);
    expect(server.stderr).not.toContain(KEY);
  });

  it("searches by words where the package of a local model is missing", async () => {
    await using folder = tempFolder();
    await using server = await startServer(folder.at("m.db"), ["--embeddings", "local:not-installed-here"]);
    await server.does("create_entities", { entities: PEOPLE });
    await expect.poll(() => server.stderr, PATIENCE).toContain("Run: npm install not-installed-here");
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

  it("with a wrong switch fails with exit code 2", async () => {
    await using folder = tempFolder();
    await using server = startRaw(bin([`--db=${folder.at("m.db")}`, "--embeddings=http://ann:secret@localhost"]));
    const { code } = await server.exit();
    expect(server.stderr).toContain("without user and password");
    expect(server.stderr).not.toContain("secret");
    expect(code).toBe(2);
  });
});
