// Other programs that write the file: slowly, while two servers watch it, and at the same time. Rules M1 and M2.
import { execFileSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { needs, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { entity, jsonl, relation } from "../support/graphs.ts";
import { serveInProcess } from "../support/in-process.ts";
import { namesIn } from "../support/mirror-file.ts";
import { allowWaiting, until } from "../support/patience.ts";

allowWaiting();

const many = Array.from({ length: 200 }, (_, at) => entity(`e${at}`, "t", `fact ${at}`));

test.each([
  ["at the ends of lines", 0],
  ["within lines", 7],
])("rule M2: a program that rewrites the file in pieces cut %s deletes nothing in the meantime", async (_, shift) => {
  await using folder = tempFolder({ "m.jsonl": jsonl(many) });
  const file = folder.at("m.jsonl");
  await using server = await serveInProcess(file);
  expect(await server.names()).toHaveLength(200);
  // As the reference server writes: it empties the file first.
  const next = jsonl([...many, entity("new", "t")]);
  const lines = next.split("\n");
  const handle = openSync(file, "w");
  let rest = next;
  for (let piece = 0; piece < 5; piece++) {
    const part = rest.slice(0, `${lines.slice(piece * 20, piece * 20 + 20).join("\n")}\n`.length + (piece === 0 ? shift : 0));
    writeSync(handle, part);
    rest = rest.slice(part.length);
    expect((await server.names()).length).toBe(200);
    await pause(100);
  }
  writeSync(handle, rest);
  closeSync(handle);
  await until(
    () => server.names(),
    (names) => names.includes("new"),
  );
  expect(await server.names()).toHaveLength(201);
  // Nothing was deleted and created again, and nothing was treated as damaged.
  expect((await server.call("get_history", { entityName: "e150" })).text).not.toMatch(/delet|ended/i);
  expect(Object.keys(folder.tree()).filter((name) => /damaged|backup/.test(name))).toEqual([]);
});

test("rule M1: two servers and an editor that replaces the file agree in the end, and no deletion is undone", async () => {
  await using folder = tempFolder({ "m.jsonl": jsonl([entity("a", "t"), entity("b", "t", "x", "y")], [relation("a", "r", "b")]) });
  const file = folder.at("m.jsonl");
  await using one = await serveInProcess(file);
  await using other = await serveInProcess(file);
  await one.create("one");
  await other.create("other");
  await until(
    () => namesIn(file),
    (names) => names.length === 4,
  );
  // An editor writes a new file and renames it.
  const edited = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => !line.includes('"name":"a"') && !line.includes('"type":"relation"'))
    .map((line) => line.replace('"x","y"', '"y","z"'));
  writeFileSync(`${file}.swp`, `${edited.join("\n").trimEnd()}\n${JSON.stringify({ type: "entity", ...entity("edited", "t") })}\n`);
  renameSync(`${file}.swp`, file);
  await one.create("one more");
  await other.create("another");
  const wanted = ["another", "b", "edited", "one", "one more", "other"];
  for (const server of [one, other])
    await until(
      async () => (await server.names()).toSorted(),
      (names) => names.join() === wanted.join(),
    );
  expect((await one.graph()).entities.find(({ name }) => name === "b")!.observations).toEqual(["y", "z"]);
  expect((await one.graph()).relations).toEqual([]);
  await Promise.all([one.close(), other.close()]);
  expect(namesIn(file).toSorted()).toEqual(wanted);
  await using later = await serveInProcess(file);
  expect((await later.names()).toSorted()).toEqual(wanted);
});

test("serializes a parallel change and deletion, in the store and in the file", async () => {
  await using folder = tempFolder({ "m.jsonl": jsonl([entity("a", "t", "old")]) });
  const file = folder.at("m.jsonl");
  await using server = await serveInProcess(file);
  await server.names();
  // The other program deletes the entity while the server adds to it.
  writeFileSync(file, jsonl([entity("b", "t")]));
  await server.call("add_observations", { observations: [{ entityName: "a", contents: ["new"] }] });
  const { entities } = await until(
    () => server.graph(),
    (graph) => graph.entities.some(({ name }) => name === "b"),
  );
  // An addition to a deleted entity is not lost.
  const a = entities.find(({ name }) => name === "a");
  if (a !== undefined) expect(a.observations).toContain("new");
  else expect((await server.call("get_history", { entityName: "a" })).text).toContain("new");
  await server.close();
  expect(namesIn(file).toSorted()).toEqual(entities.map(({ name }) => name).toSorted());
});

const line = (record: object): string => JSON.stringify(record);
const TOO_MUCH = {
  "a name of 10,000 characters": line({ type: "entity", ...entity("n".repeat(10_000), "t") }),
  "an observation of 2 MB": line({ type: "entity", ...entity("big", "t", "o".repeat(2_000_000)) }),
  "half a surrogate pair": '{"type":"entity","name":"half","entityType":"t","observations":["a\\ud800b"]}',
  "half a surrogate pair in a name": '{"type":"entity","name":"\\udc00","entityType":"t","observations":[]}',
  "brackets 100,000 deep": `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
  "a field 100,000 deep": `{"type":"entity","name":"deep","entityType":"t","observations":[],"more":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
  "an unknown field of 3 MB": line({ type: "entity", ...entity("wide", "t"), more: "m".repeat(3_000_000) }),
  "a NUL": "\0\0\0",
  "a relation of long names": line({ type: "relation", ...relation("x".repeat(9000), "r", "y") }),
};

test.each(Object.entries(TOO_MUCH))(
  "case MEM-11 rule M3: %s in a file is served or kept in the side file, and the rest loads",
  async (_, odd) => {
    await using folder = tempFolder({ "m.jsonl": `${jsonl([entity("a", "t")])}${odd}\n${jsonl([entity("b", "t")])}` });
    const file = folder.at("m.jsonl");
    await using server = await serveInProcess(file);
    const names = await server.names();
    expect(names).toContain("a");
    expect(names).toContain("b");
    await server.create("new");
    await server.close();
    const kept = Object.keys(folder.tree()).filter((name) => !/\.db/.test(name) && readFileSync(folder.at(name), "utf8").includes(odd));
    expect(kept).not.toEqual([]);
    await using again = await serveInProcess(file);
    expect(await again.names()).toEqual([...names, "new"]);
  },
);

test("gives a file that others could read mode 0600 when it is written", async () => {
  await using folder = tempFolder({ "m.jsonl": jsonl([entity("a", "t")]) });
  const file = folder.at("m.jsonl");
  expect(statSync(file).mode & 0o077).not.toBe(0);
  await using server = await serveInProcess(file);
  await server.create("b");
  await server.close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("restores a deleted mirror or database from the other at the start", async () => {
  await using folder = tempFolder();
  const file = folder.at("m.jsonl");
  {
    await using server = await serveInProcess(file);
    await server.create("a", "b");
  }
  renameSync(file, folder.at("elsewhere"));
  await using server = await serveInProcess(file);
  expect(await server.names()).toEqual(["a", "b"]);
  await server.create("c");
  await server.close();
  expect(existsSync(file)).toBe(true);
  expect(namesIn(file)).toEqual(["a", "b", "c"]);
});

test("reports a pipe in place of the file without delaying a call", needs("named pipes"), async () => {
  await using folder = tempFolder();
  const file = folder.at("m.jsonl");
  await using server = await serveInProcess(file);
  await server.create("a");
  await until(
    () => existsSync(file),
    (isThere) => isThere,
  );
  rmSync(file);
  execFileSync("mkfifo", [file]);
  await until(
    () => server.stderr,
    (stderr) => stderr.includes("File m.jsonl is a pipe: expected a regular file. Remove it."),
  );
  await server.create("b");
  rmSync(file);
  await server.close();
  expect(namesIn(file)).toEqual(["a", "b"]);
});
