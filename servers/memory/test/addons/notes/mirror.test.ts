// The Markdown mirror: a server, and a person who edits the notes.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { entity, relation } from "../../support/graphs.ts";
import { serveInProcess, type InProcessServer } from "../../support/in-process.ts";
import { allowWaiting } from "../../support/patience.ts";

allowWaiting();

const WAIT = { timeout: 15_000, interval: 20 };

const start = (folder: TempFolder): Promise<InProcessServer> => serveInProcess(folder.at("m.db"), { mirror: folder.at("notes") });

const noteIn = (folder: TempFolder, file: string): string => {
  const path = join(folder.at("notes"), file);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

const notesIn = (folder: TempFolder): string[] => readdirSync(folder.at("notes")).filter((file) => file.endsWith(".md"));

async function observationsOf(server: InProcessServer, name: string): Promise<string[] | undefined> {
  const { entities } = await server.does("open_nodes", { names: [name] });
  const [found] = entities as { observations: string[] }[];
  return found?.observations;
}

test("writes what tools store as notes with wiki links, and moves notes of deleted entities to the trash", async () => {
  await using folder = tempFolder();
  await using server = await start(folder);
  await server.call("create_entities", { entities: [entity("Ada", "person", "lives in Lisbon"), entity("AC/DC", "band")] });
  await server.call("create_relations", { relations: [relation("Ada", "listens_to", "AC/DC")] });
  await expect
    .poll(() => noteIn(folder, "Ada.md"), WAIT)
    .toBe("---\ntitle: Ada\ntype: person\n---\n\n## Observations\n\n- lives in Lisbon\n\n## Relations\n\n- listens_to [[AC-DC|AC/DC]]\n");
  await expect.poll(() => noteIn(folder, "AC-DC.md"), WAIT).toContain("type: band");
  await server.call("delete_entities", { entityNames: ["AC/DC"] });
  await expect.poll(() => readdirSync(join(folder.at("notes"), ".trash")), WAIT).toEqual(["AC-DC.md"]);
  await expect.poll(() => noteIn(folder, "Ada.md"), WAIT).not.toContain("AC/DC");
  expect(notesIn(folder)).toEqual(["Ada.md"]);
});

test("leaves nothing of a purge in notes and in their trash, and what others deleted there", async () => {
  await using folder = tempFolder();
  await using server = await serveInProcess(folder.at("m.db"), { mirror: folder.at("notes"), allowPurge: true });
  const trash = (): string[] => readdirSync(join(folder.at("notes"), ".trash")).sort();
  await server.call("create_entities", {
    entities: [entity("Ada", "person", "lives in Lisbon", "likes figs"), entity("Bea", "t"), entity("Cay", "t")],
  });
  await expect.poll(() => notesIn(folder).length, WAIT).toBe(3);
  await server.call("delete_entities", { entityNames: ["Ada", "Bea"] });
  await expect.poll(() => notesIn(folder), WAIT).toEqual(["Cay.md"]);
  writeFileSync(join(folder.at("notes"), ".trash", "mine.md"), "a note of another program");
  await server.does("delete_entities", { entityNames: ["Bea", "Cay"], purge: true });
  expect([notesIn(folder), trash()]).toEqual([[], ["Ada.md", "mine.md"]]);
  const deletions = [{ entityName: "Ada", observations: ["likes figs"] }];
  await server.does("delete_observations", { deletions, purge: true });
  expect(trash()).toEqual(["mine.md"]);
});

test("brings edited, new, renamed and deleted notes into the graph, and keeps other text of a note", async () => {
  await using folder = tempFolder();
  await using server = await start(folder);
  await server.call("create_entities", { entities: [entity("Ada", "person", "lives in Porto", "plays chess"), entity("Old", "t", "x")] });
  await expect.poll(() => noteIn(folder, "Ada.md"), WAIT).toContain("plays chess");
  await expect.poll(() => noteIn(folder, "Old.md"), WAIT).toContain("- x");
  const edited = noteIn(folder, "Ada.md").replace("Porto", "Lisbon").replace("## Obs", "Some prose.\n\n## Obs");
  writeFileSync(join(folder.at("notes"), "Ada.md"), `${edited}\n## Relations\n\n- knows [[Bob]]\n`);
  writeFileSync(join(folder.at("notes"), "Bob.md"), "- [fact] likes tea #drink\n");
  rmSync(join(folder.at("notes"), "Old.md"));
  await expect.poll(() => observationsOf(server, "Ada"), WAIT).toEqual(["plays chess", "lives in Lisbon"]);
  await expect.poll(() => observationsOf(server, "Bob"), WAIT).toEqual(["[fact] likes tea #drink"]);
  await expect.poll(() => observationsOf(server, "Old"), WAIT).toBeUndefined();
  const { events } = await server.does("get_history", { entityName: "Ada" });
  expect(events).toContainEqual(expect.objectContaining({ by: "notes", event: "superseded", observation: "lives in Porto" }));

  writeFileSync(join(folder.at("notes"), "Bob.md"), noteIn(folder, "Bob.md").replace("Bob", "Robert"));
  renameSync(join(folder.at("notes"), "Bob.md"), join(folder.at("notes"), "Robert.md"));
  await expect.poll(() => observationsOf(server, "Robert"), WAIT).toHaveLength(1);
  await server.call("add_observations", { observations: [{ entityName: "Ada", contents: ["speaks Welsh"] }] });
  await expect.poll(() => noteIn(folder, "Ada.md"), WAIT).toContain("speaks Welsh");
  expect(noteIn(folder, "Ada.md")).toContain("Some prose.");
});

test("has the times of facts, which can be edited in the note, and keeps the fact", async () => {
  await using folder = tempFolder();
  await using server = await start(folder);
  await server.call("create_entities", { entities: [{ ...entity("Ada", "person", "lives in Porto"), validFrom: "2019" }] });
  await expect.poll(() => noteIn(folder, "Ada.md"), WAIT).toContain("- lives in Porto [validFrom:: 2019]\n");
  const edited = noteIn(folder, "Ada.md").replace("2019]", "2020] [validTo:: 2021]");
  writeFileSync(join(folder.at("notes"), "Ada.md"), `${edited}- plays chess [validFrom:: 2022-03]\n- a [validFrom:: soon]\n`);
  await expect.poll(() => observationsOf(server, "Ada"), WAIT).toEqual(["lives in Porto", "plays chess", "a [validFrom:: soon]"]);
  const { events } = await server.does("get_history", { entityName: "Ada" });
  expect(events).toMatchObject([
    { event: "created" },
    { event: "observed", observation: "lives in Porto", times: { validFrom: "2020", validTo: "2021" } },
    { event: "observed", observation: "plays chess", times: { validFrom: "2022-03" } },
    { event: "observed", observation: "a [validFrom:: soon]" },
  ]);
});

test("keeps what both sides have added while no server was running", async () => {
  await using folder = tempFolder();
  const first = await start(folder);
  await first.call("create_entities", { entities: [entity("Ada", "person", "a", "b")] });
  await expect.poll(() => noteIn(folder, "Ada.md"), WAIT).toContain("- b");
  await first.close();
  writeFileSync(join(folder.at("notes"), "Ada.md"), noteIn(folder, "Ada.md").replace("- a\n", "- from the note\n"));
  const plain = await serveInProcess(folder.at("m.db"));
  await plain.call("add_observations", { observations: [{ entityName: "Ada", contents: ["from the graph"] }] });
  await plain.close();
  await using server = await start(folder);
  await expect.poll(() => observationsOf(server, "Ada"), WAIT).toEqual(["b", "from the graph", "from the note"]);
  await expect.poll(() => noteIn(folder, "Ada.md"), WAIT).toContain("from the graph");
});

test("brings the notes into a new memory, instead of removing them", async () => {
  await using folder = tempFolder();
  const first = await start(folder);
  await first.call("create_entities", { entities: [entity("Ada", "person", "a")] });
  await expect.poll(() => noteIn(folder, "Ada.md"), WAIT).toContain("- a");
  await first.close();
  await using other = await serveInProcess(folder.at("other.db"), { mirror: folder.at("notes") });
  await expect.poll(() => observationsOf(other, "Ada"), WAIT).toEqual(["a"]);
  expect(notesIn(folder)).toEqual(["Ada.md"]);
});

test("does not follow links, and leaves damaged notes as they are", async () => {
  await using folder = tempFolder({ "outside/secret.md": "- [fact] a secret\n" });
  mkdirSync(folder.at("notes"));
  symlinkSync(folder.at("outside"), folder.at("notes/linked"));
  symlinkSync(folder.at("outside/secret.md"), folder.at("notes/Link.md"));
  writeFileSync(folder.at("notes/Bad.md"), "---\n[\n---\n");
  await using server = await start(folder);
  await server.call("create_entities", { entities: [entity("Link", "t", "of the graph"), entity("Bad", "t", "x")] });
  await expect.poll(() => notesIn(folder).length, WAIT).toBeGreaterThanOrEqual(4);
  expect(readFileSync(folder.at("outside/secret.md"), "utf8")).toBe("- [fact] a secret\n");
  expect(readFileSync(folder.at("notes/Bad.md"), "utf8")).toBe("---\n[\n---\n");
  expect(server.stderr).toMatch(/Note "?Bad\.md"? not read: line \d+: frontmatter is not YAML/);
  expect(await observationsOf(server, "secret")).toBeUndefined();
});

test("writes through no link that has the name of a temporary file (L5)", async () => {
  await using folder = tempFolder();
  mkdirSync(folder.at("notes"));
  writeFileSync(folder.at("victim.txt"), "untouched");
  symlinkSync(folder.at("victim.txt"), join(folder.at("notes"), `.oarlock-notes.json.${process.pid}.tmp`));
  await using server = await start(folder);
  await server.call("create_entities", { entities: [entity("Ada", "person")] });
  await expect.poll(() => readdirSync(folder.at("notes")), WAIT).toContain(".oarlock-notes.json");
  expect(readFileSync(folder.at("victim.txt"), "utf8")).toBe("untouched");
});

test("reports the folder of another memory, and leaves it alone", async () => {
  await using folder = tempFolder();
  await using server = await start(folder);
  await server.call("create_entities", { entities: [entity("Ada", "person", "lives in Lisbon")] });
  await expect.poll(() => noteIn(folder, "Ada.md"), WAIT).toContain("Lisbon");
  await using other = await serveInProcess(folder.at("other.db"), { mirror: folder.at("notes") });
  await other.call("create_entities", { entities: [entity("Bob", "person", "x")] });
  await expect.poll(() => other.stderr, WAIT).toContain("Folder of notes is in use by another memory");
  await other.close();
  expect(notesIn(folder)).toEqual(["Ada.md"]);
  expect(await observationsOf(server, "Bob")).toBeUndefined();
});
