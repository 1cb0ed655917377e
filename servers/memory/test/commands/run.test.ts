// The commands import, export, verify, compact and inspect: output, files and exit codes.
import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { openStore } from "../../src/graph/store/open-store.ts";
import { entity, jsonl, relation } from "../support/graphs.ts";
import { serveInProcess } from "../support/in-process.ts";
import { runCommand as run } from "../support/run-command.ts";

const graph = [entity('a "quoted" \\ name', "t", "x"), entity("b", "u")];
const relations = [relation('a "quoted" \\ name', "sees", "b")];

const filled = (): TempFolder => tempFolder({ "in.jsonl": jsonl(graph, relations) });

describe("import", () => {
  test("imports a JSONL file, reports lines that it leaves out, and adds nothing the second time", async () => {
    await using folder = filled();
    writeFileSync(folder.at("in.jsonl"), `${jsonl(graph, relations)}no record\n`);
    const args = ["import", folder.at("in.jsonl"), "--db", folder.at("m.db")];
    expect(await run(args)).toEqual({
      code: 0,
      out: "",
      stderr: ["line 4 left out: not JSON", "Imported 2 entities and 1 relation. The memory now has 2 entities and 1 relation."],
    });
    expect((await run(args)).stderr.at(-1)).toBe("Imported 0 entities and 0 relations. The memory now has 2 entities and 1 relation.");
  });

  test("adds new observations to existing entities, and to the mirror", async () => {
    await using folder = filled();
    writeFileSync(folder.at("m.jsonl"), jsonl([entity("b", "u", "old")]));
    writeFileSync(folder.at("in.jsonl"), jsonl([entity("b", "u", "old", "new"), entity("c", "t")]));
    expect((await run(["import", folder.at("in.jsonl")], { MEMORY_FILE_PATH: folder.at("m.jsonl") })).code).toBe(0);
    expect(folder.read("m.jsonl")).toBe(jsonl([entity("b", "u", "old", "new"), entity("c", "t")]));
  });

  test("imports into the store of OARLOCK_DB, as the server does, whatever MEMORY_FILE_PATH is", async () => {
    await using folder = filled();
    const env = { OARLOCK_DB: folder.at("m.jsonl"), MEMORY_FILE_PATH: folder.at("other.jsonl") };
    expect((await run(["import", folder.at("in.jsonl")], env)).code).toBe(0);
    expect(folder.read("m.jsonl")).toBe(jsonl(graph, relations));
    expect(existsSync(folder.at("other.jsonl"))).toBe(false);
  });

  test("keeps unknown records, reports them, and stores them once", async () => {
    const content = `${jsonl([entity("a", "t")])}{"type":"note","text":"n"}\n`;
    await using folder = tempFolder({ "in.jsonl": content });
    const args = ["import", folder.at("in.jsonl"), "--db", folder.at("m.jsonl")];
    const kept = "1 record of unknown type kept unchanged";
    expect((await run(args)).stderr).toEqual([kept, "Imported 1 entity and 0 relations. The memory now has 1 entity and 0 relations."]);
    expect((await run(args)).stderr).toEqual([kept, "Imported 0 entities and 0 relations. The memory now has 1 entity and 0 relations."]);
    expect(folder.read("m.jsonl")).toBe(content);
  });

  test.each(["no record\n", '{"type":"entity","name":""}\n'])("of only %j ends with code 1 and changes nothing", async (content) => {
    await using folder = tempFolder({ "in.jsonl": content, "m.jsonl": jsonl(graph) });
    const ended = await run(["import", folder.at("in.jsonl"), "--db", folder.at("m.jsonl")]);
    expect(ended).toMatchObject({
      code: 1,
      stderr: [/^line 1 left out: /, /^Error: File .*in\.jsonl has no readable record\./].map((what) => expect.stringMatching(what)),
    });
    expect(folder.read("m.jsonl")).toBe(jsonl(graph));
  });

  test.each([
    [
      "a JSON array",
      JSON.stringify(
        [
          { type: "entity", ...graph[0] },
          { type: "entity", ...graph[1] },
          { type: "relation", ...relations[0] },
        ],
        null,
        2,
      ),
    ],
    ["an exported JSON value", JSON.stringify({ entities: graph, relations })],
  ])("imports %s", async (_what, content) => {
    await using folder = tempFolder({ "in.json": content });
    expect((await run(["import", folder.at("in.json"), "--db", folder.at("m.db")])).stderr).toEqual([
      "Imported 2 entities and 1 relation. The memory now has 2 entities and 1 relation.",
    ]);
  });
});

describe("export", () => {
  const stored = async (): Promise<TempFolder> => {
    const folder = filled();
    await run(["import", folder.at("in.jsonl"), "--db", folder.at("m.db")]);
    return folder;
  };

  test("as JSONL has the format of the reference server", async () => {
    await using folder = await stored();
    expect(await run(["export", "--db", folder.at("m.db")])).toEqual({ code: 0, out: jsonl(graph, relations), stderr: [] });
    expect((await run(["export", "--jsonl", "--output", folder.at("out.jsonl"), "--db", folder.at("m.db")])).out).toBe("");
    expect(folder.read("out.jsonl")).toBe(jsonl(graph, relations));
  });

  test("as JSON is one value", async () => {
    await using folder = await stored();
    expect(JSON.parse((await run(["export", "--json", "--db", folder.at("m.db")])).out)).toEqual({ entities: graph, relations });
  });

  test("as a Graphviz drawing quotes names", async () => {
    await using folder = await stored();
    expect((await run(["export", "--dot", "--db", folder.at("m.db")])).out).toBe(
      'digraph memory {\n  "a \\"quoted\\" \\\\ name" [tooltip="t"];\n  "b" [tooltip="u"];\n  "a \\"quoted\\" \\\\ name" -> "b" [label="sees"];\n}\n',
    );
  });
});

describe("verify", () => {
  test("reports no problems, changes nothing, and runs beside a server", async () => {
    await using folder = filled();
    await using server = await serveInProcess(folder.at("in.jsonl"));
    await server.names();
    const ended = await run(["verify", "--db", folder.at("in.jsonl")]);
    expect(ended).toEqual({ code: 0, out: "", stderr: ["The database has 2 entities and 1 relation.", "No problems found."] });
  });

  test.each([
    ["a damaged line", (folder: TempFolder) => writeFileSync(folder.at("in.jsonl"), "{no\n"), /in\.jsonl line 1: not JSON/],
    [
      "a database that is none",
      (folder: TempFolder) => writeFileSync(folder.at("in.jsonl.db"), "SQLite format 3\0 and nothing more".repeat(40)),
      /database not readable|database:/,
    ],
  ])("ends with code 1 on %s", async (_what, damage, stderr) => {
    await using folder = filled();
    damage(folder);
    const ended = await run(["verify", "--db", folder.at("in.jsonl")]);
    expect(ended.code).toBe(1);
    expect(ended.stderr.join("\n")).toMatch(stderr);
  });
});

test("compacts the store and keeps its content with history", async () => {
  await using folder = tempFolder();
  await using server = await serveInProcess(folder.at("m.db"));
  await server.does("create_entities", {
    entities: [entity("a", "t", ...Array.from({ length: 3000 }, (_, at) => `fact ${at} ${"x".repeat(100)}`))],
  });
  await server.does("delete_entities", { entityNames: ["a"] });
  await server.create("b");
  await server.close();
  const ended = await run(["compact", "--db", folder.at("m.db")]);
  expect(ended.code).toBe(0);
  const [, before, now] = /Compacted: (\d+) KB before, (\d+) KB now\./.exec(ended.stderr.at(-1) ?? "") ?? [];
  expect(Number(now)).toBeLessThan(Number(before));
  await using again = await serveInProcess(folder.at("m.db"));
  expect(await again.names()).toEqual(["b"]);
  expect((await again.does("get_history", { entityName: "a" }))["events"]).not.toEqual([]);
});

test.each([
  [
    ["imprt", "a.jsonl"],
    'Error: Unknown command "imprt": import, export, verify, compact, inspect, digest, inbox, users, backup, restore, move, hooks are expected. See oarlock-memory --help.',
  ],
  [["import"], "Error: Command import needs a file. See oarlock-memory import --help."],
  [["import", "missing.jsonl"], "Error: File missing.jsonl not found. Name an existing file."],
  [["export", "--yaml"], 'Error: Unknown switch "--yaml". See oarlock-memory export --help.'],
  [["export", "--output"], "Error: Switch --output needs a file. See oarlock-memory export --help."],
  [["export", "--output", "--json"], "Error: Switch --output needs a file. See oarlock-memory export --help."],
  [["export", "--json=yes"], "Error: Switch --json takes no value. See oarlock-memory export --help."],
  [["import", "a.jsonl", "--json"], 'Error: Unknown switch "--json". See oarlock-memory import --help.'],
  [["import", "--", "-missing.jsonl"], "Error: File -missing.jsonl not found. Name an existing file."],
  [["import", "/dev/null"], "Error: File /dev/null is not a regular file. Save its content to a regular file and import that."],
  [["verify", "--output=a"], 'Error: Unknown switch "--output=a". See oarlock-memory verify --help.'],
  [["verify", "x"], 'Error: Unexpected argument "x" of command verify. See oarlock-memory verify --help.'],
])("%j ends with code 2 and a message", async (args, stderr) => {
  await using folder = tempFolder();
  expect(
    await run([args[0] ?? "", ...(args[1] === "--output" ? [] : [`--db=${folder.at("m.db")}`]), ...args.slice(1)], {
      MEMORY_FILE_PATH: folder.at("m.db"),
    }),
  ).toEqual({
    code: 2,
    out: "",
    stderr: [stderr],
  });
  expect(existsSync(folder.at("m.db"))).toBe(false);
});

test.each(["", "no/such/folder/out"])("leaves nothing behind of an export into %j, which cannot be written", async (where) => {
  await using folder = tempFolder({ there: {}, "m.jsonl": jsonl(graph) });
  const { code, stderr } = await run(["export", "--db", folder.at("m.jsonl"), "--output", folder.at("there", where)]);
  expect({ code, stderr }).toEqual({ code: 3, stderr: [expect.stringMatching(/^Error: Cannot write .* \(E\w+\)\. Name another file\.$/)] });
  expect(Object.keys(folder.tree()).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("refuses to import a directory", async () => {
  await using folder = filled();
  const { code, stderr } = await run(["import", folder.path, "--db", folder.at("m.db")]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: [expect.stringContaining("is a directory")] });
});

test("reports a store of a newer server, and accepts an empty file", async () => {
  await using folder = filled();
  writeFileSync(folder.at("empty.db"), "");
  expect(await run(["verify", "--db", folder.at("empty.db")])).toMatchObject({
    code: 0,
    stderr: [expect.stringContaining("does not exist yet"), "No problems found."],
  });
  const store = await openStore(folder.at("m.db"));
  store.db.pragma("user_version = 99");
  store.close();
  const { code, stderr } = await run(["verify", "--db", folder.at("m.db")]);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.arrayContaining([expect.stringContaining("Update this server")]) });
});

test("refuses an empty variable instead of using another memory", async () => {
  await using folder = filled();
  const env = { OARLOCK_DB: " ", MEMORY_FILE_PATH: folder.at("in.jsonl"), HOME: folder.at("home"), XDG_DATA_HOME: "" };
  const stderr = ["Error: Variable OARLOCK_DB is empty: name a file or unset it. See oarlock-memory export --help."];
  expect(await run(["export"], env)).toEqual({ code: 2, out: "", stderr });
  expect(existsSync(folder.at("home"))).toBe(false);
});

test.each([
  ["export", /^Memory .* does not exist yet\.$/],
  ["compact", /^Database .* does not exist yet\.$/],
])("%s of a missing memory reports that, and creates neither store nor folder", async (command, stderr) => {
  await using folder = tempFolder();
  const ended = await run([command, "--db", folder.at("none/m.jsonl")]);
  expect(ended).toMatchObject({ code: 0, out: "" });
  expect(ended.stderr[0]).toMatch(stderr);
  expect(folder.tree()).toEqual({});
});

test("verify of a missing memory fails, and creates neither store nor folder", async () => {
  await using folder = tempFolder();
  const ended = await run(["verify", "--db", folder.at("none/m.db")]);
  expect(ended).toMatchObject({
    code: 1,
    stderr: [expect.stringMatching(/^Problem: the database .* does not exist: check/), "1 problem found."],
  });
  expect(folder.tree()).toEqual({});
});

test.each([
  ...["m.jsonl", "link", "m.jsonl.damaged", "m.jsonl.oarlock-1-0.tmp"],
  ...["", "-wal", "-shm", "-journal", ".backup-2026-01-05T00-00-00-000Z"].map((ending) => `m.jsonl.db${ending}`),
  ...["", "-wal", "-shm", "-journal", "-lock", "-lock-journal"].map((ending) => `m.jsonl.db.vectors${ending}`),
])("refuses an export over %s, a file of the memory", async (name) => {
  await using folder = tempFolder({ "m.jsonl": jsonl(graph, relations) });
  symlinkSync("m.jsonl", folder.at("link"));
  await run(["compact", "--db", folder.at("m.jsonl")]);
  const ended = await run(["export", "--dot", "--db", folder.at("m.jsonl"), "--output", folder.at(name)]);
  expect(ended).toMatchObject({ code: 2, stderr: [expect.stringContaining("is a file of the memory itself")] });
  expect((await run(["export", "--db", folder.at("m.jsonl")])).out).toBe(jsonl(graph, relations));
});

test.each([
  ["other.jsonl", "a file of another memory"],
  ["other.jsonl.db", "a SQLite database"],
])("refuses an export over %s of another memory", async (name, what) => {
  await using folder = tempFolder({ "m.jsonl": jsonl(graph, relations), "in.jsonl": jsonl([entity("kept", "t")]) });
  await run(["import", folder.at("in.jsonl"), "--db", folder.at("other.jsonl")]);
  const ended = await run(["export", "--db", folder.at("m.jsonl"), "--output", folder.at(name)]);
  expect(ended).toMatchObject({ code: 2, stderr: [expect.stringContaining(`is ${what}: name another file with --output`)] });
  expect(folder.read("other.jsonl")).toBe(jsonl([entity("kept", "t")]));
});

test.each(["m.jsonl.txt", "m.jsonl.db.txt", "m.jsonl.dot", "out.jsonl"])("exports to %s, beside the memory", async (name) => {
  await using folder = tempFolder({ "m.jsonl": jsonl(graph, relations) });
  expect(await run(["export", "--db", folder.at("m.jsonl"), "--output", folder.at(name)])).toMatchObject({ code: 0 });
  expect(folder.read(name)).toBe(jsonl(graph, relations));
});

test.each([
  ["--db F export", (file: string) => ["--db", file, "export"]],
  ["--db=F export", (file: string) => [`--db=${file}`, "export"]],
  ["--jsonl export --db F", (file: string) => ["--jsonl", "export", "--db", file]],
])("%s is the command export", async (_what, args) => {
  await using folder = tempFolder({ "m.jsonl": jsonl(graph, relations) });
  expect(await run(args(folder.at("m.jsonl")))).toEqual({ code: 0, out: jsonl(graph, relations), stderr: [] });
});

test("refuses a misspelled command after a switch, and names the known ones", async () => {
  await using folder = tempFolder();
  const ended = await run(["--db", folder.at("m.jsonl"), "exprot"]);
  expect(ended).toMatchObject({
    code: 2,
    stderr: [expect.stringMatching(/^Error: Unknown command "exprot": import, export, verify, compact/)],
  });
});

test("removes older history with compact --keep-history", async () => {
  await using folder = tempFolder();
  await using server = await serveInProcess(folder.at("m.db"));
  await server.does("create_entities", { entities: [entity("a", "t", "x"), entity("b", "t")] });
  await server.does("delete_entities", { entityNames: ["a"] });
  await server.close();
  const { stderr } = await run(["compact", "--db", folder.at("m.db"), "--keep-history", "1h"]);
  expect(stderr[0]).toBe("Old history removed: 0 deleted entities, 0 past observations, 0 past relations.");
  const store = await openStore(folder.at("m.db"));
  store.run("UPDATE call SET at = at - 7200000");
  store.close();
  const again = await run(["compact", "--db", folder.at("m.db"), "--keep-history", "1h"]);
  expect(again).toMatchObject({
    code: 0,
    stderr: expect.arrayContaining(["Old history removed: 1 deleted entity, 1 past observation, 0 past relations."]),
  });
});

test.each([
  [["compact", "--keep-history", "soon"], /^Error: Duration "soon" not understood/],
  [["export", "--keep-history", "1h"], /^Error: Unknown switch "--keep-history"/],
])("%j is refused", async (args, message) => {
  expect(await run(args)).toMatchObject({ code: 2, stderr: [expect.stringMatching(message)] });
});

describe("inspect", () => {
  test("prints how a search ranks facts, with aligned columns", async () => {
    await using folder = tempFolder({
      "in.jsonl": jsonl([entity("Ada", "person", "likes green tea"), entity("Bea", "person", "drinks tea")]),
    });
    await run(["import", folder.at("in.jsonl"), "--db", folder.at("m.db")]);
    const { code, out } = await run(["inspect", "green tea at sea", "--db", folder.at("m.db")]);
    expect(code).toBe(0);
    const [head = "", ada = "", bea = "", ...notes] = out.split("\n");
    expect(head).toMatch(/^rank {2}entity {2}fact {13}found {7}words {2}name {2}around {2}meaning {2}recorded {4}cut by$/);
    expect(ada).toMatch(/^1 {5}Ada {5}likes green tea {2}some words {2}\d\.\d\d /);
    expect(bea).toMatch(/^2 {5}Bea {5}drinks tea {7}some words {2}\d\.\d\d /);
    expect(notes).toContain("2 candidates of 2 entities, of which 0 are cut by max_tokens and 0 by limit.");
  });

  test.each([
    ["no query", ["inspect"], "Error: Command inspect needs a query. See oarlock-memory inspect --help."],
    ["a second argument", ["inspect", "a", "b"], 'Error: Unexpected argument "b" of command inspect. See oarlock-memory inspect --help.'],
    [
      "an address that is none",
      ["inspect", "a", "--embeddings", "nowhere"],
      expect.stringMatching(/^Error: Invalid value for --embeddings: /),
    ],
  ])("refuses %s", async (_what, words, message) => {
    await using folder = tempFolder();
    expect(await run([...words, "--db", folder.at("m.db")])).toMatchObject({ code: 2, out: "", stderr: [message] });
  });

  test("shows no fact of a memory that does not exist, and creates none", async () => {
    await using folder = tempFolder();
    expect(await run(["inspect", "tea", "--db", folder.at("m.db")])).toMatchObject({
      code: 0,
      out: "No entity or fact has a word of the query.\n",
    });
    expect(existsSync(folder.at("m.db"))).toBe(false);
  });
});
