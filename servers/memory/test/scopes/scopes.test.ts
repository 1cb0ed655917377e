// Scopes that the operator names, and those of the folders in which clients work.
import { existsSync } from "node:fs";
import type { Client } from "@oarlock/client";
import { connectTo, tempFolder, type ConnectToOptions, type TempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { locate } from "../../src/configured-location.ts";
import { createServer, type Options } from "../../src/server.ts";
import { text } from "../support/memory-fixture.ts";
import { dbOf, isOnPostgres } from "../support/store-under-test.ts";

const person = (name: string, fact: string) => ({ name, entityType: "person", observations: [fact] });

type Scopes = Pick<Options, "scope" | "readScopes">;

/** A server of its own for each client. */
async function open(folder: TempFolder, scopes: Scopes, options: ConnectToOptions = {}): Promise<Client> {
  const server = createServer({ location: locate(dbOf(folder.at("m.db")), {}), ...scopes });
  const { client } = await connectTo(server, { revision: "2026-07-28", ...options }); // in memory, it ends with its client
  return client;
}

/** Writes entities with a server of their own. */
async function fill(folder: TempFolder, scopes: Scopes, ...entities: object[]): Promise<void> {
  await using client = await open(folder, scopes);
  await client.call("create_entities", { entities });
}

async function namesIn(client: Client): Promise<unknown> {
  const { structuredContent } = await client.call("read_graph");
  return (structuredContent as { entities: { name: string }[] }).entities.map(({ name }) => name);
}

describe("a named scope", () => {
  test("is a memory of its own beside the default one", async () => {
    await using folder = tempFolder();
    await fill(folder, {}, person("Ada", "default"));
    await fill(folder, { scope: "work" }, person("Grace", "work"));
    await using byDefault = await open(folder, { scope: "default" });
    await using work = await open(folder, { scope: "work" });
    expect([await namesIn(byDefault), await namesIn(work)]).toEqual([["Ada"], ["Grace"]]);
    expect(existsSync(folder.at("m.work.db"))).toBe(!isOnPostgres());
  });
});

describe("scopes that are read", () => {
  async function openTwo(folder: TempFolder): Promise<Client> {
    await fill(folder, { scope: "team" }, person("Grace", "leads the team"), person("Ada", "of the team"));
    await fill(folder, {}, person("Ada", "of my own"));
    return await open(folder, { readScopes: ["team"] });
  }

  test("add marked results to those of the own memory", async () => {
    await using folder = tempFolder();
    await using client = await openTwo(folder);
    const found = await client.call("search_nodes", { query: "team" });
    expect(text(found)).toContain('From the memory "team", which can only be read:');
    expect(found.structuredContent).toMatchObject({ entities: [], readScopes: [{ scope: "team" }] });
    const both = await client.call("open_nodes", { names: ["Ada"] });
    expect(both.structuredContent).toMatchObject({
      entities: [{ observations: ["of my own"] }],
      readScopes: [{ scope: "team", entities: [{ observations: ["of the team"] }] }],
    });
    expect(await namesIn(client)).toEqual(["Ada"]);
  });

  test("answer for names and cursors that only they have", async () => {
    await using folder = tempFolder();
    await using client = await openTwo(folder);
    const history = await client.call("get_history", { entityName: "Grace" });
    expect(history.isError).toBeUndefined();
    expect(text(history)).toContain("leads the team");
    await using team = await open(folder, { scope: "team" });
    const { structuredContent } = await team.call("read_graph", { limit: 1 });
    const { nextCursor } = structuredContent as { nextCursor: string };
    const next = await client.call("read_graph", { limit: 1, cursor: nextCursor });
    expect(text(next)).toContain("Ada");
  });

  test("are never changed, and an error names them", async () => {
    await using folder = tempFolder();
    await using client = await openTwo(folder);
    const refused = await client.call("add_observations", { observations: [{ entityName: "Grace", contents: ["new"] }] });
    expect(refused.isError).toBe(true);
    expect(text(refused)).toContain('Memories that can only be read, and are not changed: "team".');
    await client.call("delete_entities", { entityNames: ["Grace"] });
    await client.call("create_entities", { entities: [person("Grace", "mine")] });
    await using team = await open(folder, { scope: "team" });
    expect((await team.call("open_nodes", { names: ["Grace"] })).structuredContent).toMatchObject({
      entities: [{ observations: ["leads the team"] }],
    });
  });
});

describe.each(["2026-07-28", "2025-11-25"])("the scope of a project, %s", (revision) => {
  test("follows the first root of the client", async () => {
    await using folder = tempFolder();
    const at = (uri: string): Promise<Client> => open(folder, { scope: "project" }, { revision, roots: () => [{ uri }] });
    for (const uri of ["file:///projects/one", "file:///projects/two"]) {
      await using client = await at(uri);
      await client.call("create_entities", { entities: [person(uri, "a project")] });
      expect(await namesIn(client)).toEqual([uri]);
      expect((await client.resources().all()).filter(({ name }) => name === uri)).toHaveLength(revision === "2026-07-28" ? 0 : 1);
    }
    await using without = await open(folder, { scope: "project" }, { revision });
    expect(await namesIn(without)).toEqual([]);
  });
});
