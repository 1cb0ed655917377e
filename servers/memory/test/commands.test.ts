// The commands beside serving, as processes: what they say, what they write, and with which code they end.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { openStore } from "../src/graph/open.ts";
import { entity, jsonl, relation } from "./support/graph.ts";
import { keep } from "./support/keeper.ts";
import { bin } from "./support/target.ts";

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly said: string[];
}

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Ended {
  const { command, args: all = [], env: own } = bin(args, env);
  const { status, stdout, stderr } = spawnSync(command, all, { encoding: "utf8", env: { ...process.env, ...own } });
  return { code: status, out: stdout, said: stderr.split("\n").filter((line) => line !== "") };
}

const graph = [entity('a "quoted" \\ name', "t", "x"), entity("b", "u")];
const relations = [relation('a "quoted" \\ name', "sees", "b")];

const filled = (): TempFolder => tempFolder({ "in.jsonl": jsonl(graph, relations) });

describe("import", () => {
  test("takes in a JSONL file, tells of lines that it leaves out, and adds nothing the second time", async () => {
    await using folder = filled();
    writeFileSync(folder.at("in.jsonl"), `${jsonl(graph, relations)}no record\n`);
    const args = ["import", folder.at("in.jsonl"), "--db", folder.at("m.db")];
    expect(run(args)).toEqual({
      code: 0,
      out: "",
      said: ["line 4 was left out: it is no JSON", "Imported 2 entities and 1 relations; 2 and 1 now."],
    });
    expect(run(args).said.at(-1)).toBe("Imported 0 entities and 0 relations; 2 and 1 now.");
  });

  test("joins what is new to what is there, and the mirror has it", async () => {
    await using folder = filled();
    writeFileSync(folder.at("m.jsonl"), jsonl([entity("b", "u", "old")]));
    writeFileSync(folder.at("in.jsonl"), jsonl([entity("b", "u", "old", "new"), entity("c", "t")]));
    expect(run(["import", folder.at("in.jsonl")], { MEMORY_FILE_PATH: folder.at("m.jsonl") }).code).toBe(0);
    expect(folder.read("m.jsonl")).toBe(jsonl([entity("b", "u", "old", "new"), entity("c", "t")]));
  });

  test("into the store that OARLOCK_DB names, as the server takes it, whatever MEMORY_FILE_PATH says", async () => {
    await using folder = filled();
    const env = { OARLOCK_DB: folder.at("m.jsonl"), MEMORY_FILE_PATH: folder.at("other.jsonl") };
    expect(run(["import", folder.at("in.jsonl")], env).code).toBe(0);
    expect(folder.read("m.jsonl")).toBe(jsonl(graph, relations));
    expect(existsSync(folder.at("other.jsonl"))).toBe(false);
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
  ])("takes in %s", async (_what, content) => {
    await using folder = tempFolder({ "in.json": content });
    expect(run(["import", folder.at("in.json"), "--db", folder.at("m.db")]).said).toEqual([
      "Imported 2 entities and 1 relations; 2 and 1 now.",
    ]);
  });
});

describe("export", () => {
  const stored = (): TempFolder => {
    const folder = filled();
    run(["import", folder.at("in.jsonl"), "--db", folder.at("m.db")]);
    return folder;
  };

  test("as JSONL is what the reference server would have written", async () => {
    await using folder = stored();
    expect(run(["export", "--db", folder.at("m.db")])).toEqual({ code: 0, out: jsonl(graph, relations), said: [] });
    expect(run(["export", "--jsonl", "--output", folder.at("out.jsonl"), "--db", folder.at("m.db")]).out).toBe("");
    expect(folder.read("out.jsonl")).toBe(jsonl(graph, relations));
  });

  test("ends quietly where its reader has seen enough, as head has", async () => {
    await using folder = tempFolder({ "in.jsonl": jsonl(Array.from({ length: 20_000 }, (_, i) => entity(`n${i}`, "t", "x".repeat(100)))) });
    run(["import", folder.at("in.jsonl"), "--db", folder.at("m.db")]);
    const { command, args = [], env } = bin(["export", "--db", folder.at("m.db")]);
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    child.stderr.on("data", (bytes) => (said += String(bytes)));
    child.stdout.once("data", () => child.stdout.destroy());
    const [code] = await once(child, "close");
    expect({ code, said }).toEqual({ code: 0, said: "" });
  });

  test("as JSON is one value", async () => {
    await using folder = stored();
    expect(JSON.parse(run(["export", "--json", "--db", folder.at("m.db")]).out)).toEqual({ entities: graph, relations });
  });

  test("as a drawing quotes names", async () => {
    await using folder = stored();
    expect(run(["export", "--dot", "--db", folder.at("m.db")]).out).toBe(
      'digraph memory {\n  "a \\"quoted\\" \\\\ name" [tooltip="t"];\n  "b" [tooltip="u"];\n  "a \\"quoted\\" \\\\ name" -> "b" [label="sees"];\n}\n',
    );
  });
});

describe("verify", () => {
  test("says that all is well, changes nothing, and runs beside a server", async () => {
    await using folder = filled();
    await using server = await keep(folder.at("in.jsonl"));
    await server.names();
    const ended = run(["verify", "--db", folder.at("in.jsonl")]);
    expect(ended).toEqual({ code: 0, out: "", said: ["The store holds 2 entities and 1 relations.", "All is well."] });
  });

  test.each([
    ["a damaged line", (folder: TempFolder) => writeFileSync(folder.at("in.jsonl"), "{no\n"), /in\.jsonl line 1: it is no JSON/],
    [
      "a database that is none",
      (folder: TempFolder) => writeFileSync(folder.at("in.jsonl.db"), "SQLite format 3\0 and nothing more".repeat(40)),
      /the database cannot be read|the database:/,
    ],
  ])("ends with code 1 on %s", async (_what, damage, said) => {
    await using folder = filled();
    damage(folder);
    const ended = run(["verify", "--db", folder.at("in.jsonl")]);
    expect(ended.code).toBe(1);
    expect(ended.said.join("\n")).toMatch(said);
  });
});

test("compact makes the store smaller and keeps what it holds, history too", async () => {
  await using folder = tempFolder();
  await using server = await keep(folder.at("m.db"));
  await server.does("create_entities", {
    entities: [entity("a", "t", ...Array.from({ length: 3000 }, (_, at) => `fact ${at} ${"x".repeat(100)}`))],
  });
  await server.does("delete_entities", { entityNames: ["a"] });
  await server.create("b");
  await server.close();
  const ended = run(["compact", "--db", folder.at("m.db")]);
  expect(ended.code).toBe(0);
  const [, before, now] = /Compacted: (\d+) KB before, (\d+) KB now\./.exec(ended.said.at(-1) ?? "") ?? [];
  expect(Number(now)).toBeLessThan(Number(before));
  await using again = await keep(folder.at("m.db"));
  expect(await again.names()).toEqual(["b"]);
  expect((await again.does("get_history", { entityName: "a" }))["events"]).not.toEqual([]);
});

test.each([
  [["import"], "Error: import needs the name of a file: see oarlock-memory import --help"],
  [["import", "missing.jsonl"], "Error: there is no file missing.jsonl"],
  [["export", "--yaml"], 'Error: there is no switch "--yaml": see oarlock-memory export --help'],
  [["export", "--output"], "Error: --output needs a file: see oarlock-memory export --help"],
  [["verify", "x"], 'Error: verify takes no "x": see oarlock-memory verify --help'],
])("%j ends with code 2 and says what is wrong", async (args, said) => {
  await using folder = tempFolder();
  expect(
    run([...args, "--db=" + folder.at("m.db")].slice(0, args[1] === "--output" ? 2 : undefined), { MEMORY_FILE_PATH: folder.at("m.db") }),
  ).toEqual({
    code: 2,
    out: "",
    said: [said],
  });
  expect(existsSync(folder.at("m.db"))).toBe(false);
});

test.each(["", "no/such/folder/out"])("export into %j, which cannot be, says so and leaves nothing behind", async (where) => {
  await using folder = tempFolder({ there: {}, "m.jsonl": jsonl(graph) });
  const { code, said } = run(["export", "--db", folder.at("m.jsonl"), "--output", folder.at("there", where)]);
  expect({ code, said }).toEqual({ code: 3, said: [expect.stringMatching(/^Error: .* cannot be written \(E\w+\): name another file$/)] });
  expect(Object.keys(folder.tree()).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("import of what is no file says so", async () => {
  await using folder = filled();
  const { code, said } = run(["import", folder.path, "--db", folder.at("m.db")]);
  expect({ code, said }).toEqual({ code: 2, said: [expect.stringContaining("there is no file")] });
});

test("verify tells of a store that a newer server has written, and an empty file is no store yet", async () => {
  await using folder = filled();
  writeFileSync(folder.at("empty.db"), "");
  expect(run(["verify", "--db", folder.at("empty.db")])).toMatchObject({
    code: 0,
    said: [expect.stringContaining("no store"), "All is well."],
  });
  const store = await openStore(folder.at("m.db"));
  store.db.pragma("user_version = 99");
  store.close();
  const { code, said } = run(["verify", "--db", folder.at("m.db")]);
  expect({ code, said }).toMatchObject({ code: 1, said: expect.arrayContaining([expect.stringContaining("update the server")]) });
});
