// The JSONL file: damaged and unknown lines are kept and reported, all others are served. Rules M2 and M3.
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tempFolder, type TempFolder, waitUntil } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { entity, jsonl, relation } from "../support/graphs.ts";
import { serveInProcess, type InProcessServer } from "../support/in-process.ts";
import { startServer, namesIn, recordsIn } from "../support/server-process.ts";

const A = entity("a", "t", "first");
const B = entity("b", "t", "second");
const R = relation("a", "knows", "b");

/** All files in the folder, as text: damaged lines must be in one of them. */
const beside = (folder: TempFolder): string =>
  readdirSync(folder.path)
    .filter((name) => name !== "m.jsonl" && !/\.db(-wal|-shm)?$/.test(name))
    .map((name) => folder.read(name))
    .join("\n");

async function on(content: string | Uint8Array): Promise<{ folder: TempFolder; file: string; server: InProcessServer } & AsyncDisposable> {
  const folder = tempFolder({ "m.jsonl": content });
  const file = folder.at("m.jsonl");
  const server = await serveInProcess(file);
  return {
    folder,
    file,
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test("case MEM-03: two large parallel writes are both stored, never mixed", async () => {
  await using folder = tempFolder();
  await using server = await startServer(folder.at("m.jsonl"));
  const many = (prefix: string) => Array.from({ length: 2000 }, (_, at) => entity(`${prefix}${at}`, "t", "x".repeat(100)));
  await Promise.all(
    ["one ", "two ", "three ", "four ", "five ", "six "].map((prefix) => server.call("create_entities", { entities: many(prefix) })),
  );
  await waitUntil(
    () => (existsSync(folder.at("m.jsonl")) ? namesIn(folder.at("m.jsonl")).length : 0),
    (count) => count === 12_000,
    8000,
  );
  await server.close();
  expect(recordsIn(folder.at("m.jsonl"))).toHaveLength(12_000);
  // No temporary file stays behind.
  expect(readdirSync(folder.path).filter((name) => !/^m\.jsonl(\.db(-wal|-shm)?|\.base)?$/.test(name))).toEqual([]);
});

test("case MEM-05: temporary files of a dead process are never loaded and do no harm", async () => {
  const draft = jsonl([entity("from a draft", "t")]);
  await using folder = tempFolder({
    "m.jsonl": jsonl([A]),
    "m.jsonl.tmp": draft,
    ".m.jsonl.tmp": draft,
    "m.jsonl.1234.tmp": draft,
    "m.jsonl.tmp-0123456789abcdef": draft,
    "m.jsonl.backup": draft,
    "m.jsonl~": draft,
  });
  await using server = await startServer(folder.at("m.jsonl"));
  await server.create("new");
  expect(await server.names()).toEqual(["a", "new"]);
  await server.close();
  expect(namesIn(folder.at("m.jsonl"))).toEqual(["a", "new"]);
});

describe("case MEM-06: an incomplete last line", () => {
  const whole = JSON.stringify({ type: "entity", ...B });
  // Truncated at many positions, also within a multi-byte character.
  const bytes = Buffer.from(whole.replace("second", "zweites ü"));
  test.each([1, 2, 8, 20, 40, bytes.indexOf(0xbc), bytes.length - 3, bytes.length - 1])(
    "cut after %i bytes is reported, kept in the side file, and nothing is appended to it",
    async (length) => {
      const torn = bytes.subarray(0, length);
      await using here = await on(Buffer.concat([Buffer.from(jsonl([A])), torn]));
      const { server, file, folder } = here;
      expect(await server.names()).toEqual(["a"]);
      expect(server.stderr).toMatch(/line 2\b/);
      await server.create("new");
      await server.close();
      expect(namesIn(file)).toEqual(["a", "new"]);
      const kept = readdirSync(folder.path).some(
        (name) => !/\.db/.test(name) && name !== "m.jsonl" && readFileSync(folder.at(name)).includes(torn),
      );
      expect(kept, beside(folder)).toBe(true);
    },
  );

  test("a complete last line without a newline is a record", async () => {
    await using here = await on(jsonl([A, B]).trimEnd());
    await here.server.create("new");
    expect(await here.server.names()).toEqual(["a", "b", "new"]);
    await here.server.close();
    expect(namesIn(here.file)).toEqual(["a", "b", "new"]);
  });
});

const line = (record: unknown): string => JSON.stringify(record);
const BAD = {
  garbage: "garbage",
  "an unclosed object": '{"type":"entity","name":"x"',
  "a number": "17",
  null: "null",
  "an array": "[1,2]",
  "a text": '"text"',
  "an entity without a name": line({ type: "entity", entityType: "t", observations: [] }),
  "an entity whose name is a number": line({ type: "entity", name: 5, entityType: "t", observations: [] }),
  "an entity with an empty name": line({ type: "entity", name: "", entityType: "t", observations: [] }),
  "an entity whose observations are a text": line({ type: "entity", name: "x", entityType: "t", observations: "one" }),
  "an entity with an observation that is not a text": line({ type: "entity", name: "x", entityType: "t", observations: ["ok", 7] }),
  "a relation without an end": line({ type: "relation", from: "a", relationType: "r" }),
  "a relation with an end that is null": line({ type: "relation", from: "a", to: null, relationType: "r" }),
  "control characters": "\u0001\u0002\u0003",
  "a merge marker": "<<<<<<< HEAD",
};

describe("case MEM-07: a bad line in the middle", () => {
  test.each(Object.entries(BAD))("%s is reported with its line number and kept, and the others load", async (_, bad) => {
    await using here = await on(`${jsonl([A])}${bad}\n${jsonl([B], [R])}`);
    const { server, file, folder } = here;
    expect(await server.graph()).toEqual({ entities: [A, B], relations: [R] });
    expect(server.stderr).toMatch(/line 2\b/);
    await server.create("new");
    await server.close();
    const text = readFileSync(file, "utf8");
    expect(`${text}\n${beside(folder)}`).toContain(bad);
    await using again = await serveInProcess(file);
    expect(await again.graph()).toEqual({ entities: [A, B, entity("new", "t")], relations: [R] });
  });

  test("two objects on one line are both stored", async () => {
    const glued = line({ type: "entity", ...A }) + line({ type: "entity", ...B });
    await using here = await on(`${glued}\n${jsonl([entity("c", "t")])}`);
    const { server, file, folder } = here;
    const names = await server.names();
    await server.create("new");
    await server.close();
    // Either both are read, or the line is in the side file.
    if (names.includes("a")) expect(names).toEqual(["a", "b", "c"]);
    else expect(beside(folder)).toContain(glued);
    expect(server.stderr).toMatch(/line 1\b/);
    expect(namesIn(file)).toEqual([...names, "new"]);
  });

  test("bytes that are not UTF-8 are kept as bytes", async () => {
    const bad = Buffer.from([0xff, 0xfe, 0x41, 0xc3, 0x28]);
    await using here = await on(Buffer.concat([Buffer.from(jsonl([A])), bad, Buffer.from(`\n${jsonl([B])}`)]));
    expect(await here.server.names()).toEqual(["a", "b"]);
    expect(here.server.stderr).toMatch(/line 2\b/);
    await here.server.create("new");
    await here.server.close();
    const files = readdirSync(here.folder.path).filter((name) => !/\.db/.test(name));
    expect(files.some((name) => readFileSync(here.folder.at(name)).includes(bad))).toBe(true);
  });

  test("of two records with one name the first is served, and nothing of the other is lost", async () => {
    const other = { type: "entity", name: "a", entityType: "other", observations: ["only in the second"] };
    await using here = await on(`${jsonl([A])}${line(other)}\n${jsonl([B], [R, R])}`);
    const { server, folder, file } = here;
    const { entities, relations } = await server.graph();
    expect(entities.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(entities[0]!.entityType).toBe("t");
    expect(relations).toEqual([R]);
    await server.create("new");
    await server.close();
    expect(`${readFileSync(file, "utf8")}${beside(folder)}`).toContain("only in the second");
  });

  test("a file of damaged lines only does not prevent the start, and nothing of it is lost", async () => {
    const damage = "one\ntwo\nthree";
    await using here = await on(damage);
    expect(await here.server.names()).toEqual([]);
    await here.server.create("new");
    await here.server.close();
    expect(namesIn(here.file)).toEqual(["new"]);
    for (const word of damage.split("\n")) expect(beside(here.folder)).toContain(word);
  });

  test("servers#1481 a JSON array of records, written by a user, is read or kept", async () => {
    const array = JSON.stringify(
      [
        { type: "entity", ...A },
        { type: "entity", ...B },
        { type: "relation", ...R },
      ],
      null,
      2,
    );
    await using here = await on(array);
    const names = await here.server.names();
    await here.server.create("new");
    await here.server.close();
    if (names.length > 0) expect(names).toEqual(["a", "b"]);
    else for (const word of ['"first"', '"second"', '"knows"']) expect(beside(here.folder)).toContain(word);
    expect(namesIn(here.file)).toEqual([...names, "new"]);
  });
});

describe("case MEM-08: harmless variants", () => {
  const plain = jsonl([A, B], [R]);
  test.each([
    ["CRLF", plain.replaceAll("\n", "\r\n")],
    ["a byte order mark", `\ufeff${plain}`],
    ["a byte order mark and CRLF", `\ufeff${plain.replaceAll("\n", "\r\n")}`],
    ["blank lines", `\n\n${plain.replaceAll("\n", "\n  \n\t\n")}\n\n`],
    ["no last newline", plain.trimEnd()],
    ["blanks around the records", plain.replaceAll("\n", "  \n  ")],
    ["blanks in the records", plain.replaceAll(",", " , ").replaceAll(":", " : ")],
    [
      "members in another order",
      plain
        .split("\n")
        .map((text) => (text === "" ? "" : line(Object.fromEntries(Object.entries(JSON.parse(text) as object).toReversed()))))
        .join("\n"),
    ],
    ["escaped characters", plain.replaceAll("first", "\\u0066irst").replaceAll('"a"', '"\\u0061"')],
    ["relations before entities", plain.split("\n").toReversed().join("\n")],
  ])("%s load", async (name, content) => {
    await using here = await on(content);
    const { entities, relations } = await here.server.graph();
    const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
    expect({ entities: entities.toSorted(byName), relations }, name).toEqual({ entities: [A, B], relations: [R] });
    expect(existsSync(here.folder.at("m.jsonl.damaged"))).toBe(false);
    await here.server.create("new");
    await here.server.close();
    expect(recordsIn(here.file)).toHaveLength(4);
  });

  test.each([
    ["an empty file", ""],
    ["only newlines", "\n\n\n"],
    ["only a byte order mark", "\ufeff"],
  ])("%s is an empty graph", async (_, content) => {
    await using here = await on(content);
    expect(await here.server.graph()).toEqual({ entities: [], relations: [] });
    await here.server.create("new");
    await here.server.close();
    expect(recordsIn(here.file)).toEqual([{ type: "entity", ...entity("new", "t") }]);
  });
});

describe("case MEM-09 rule M3: newer records", () => {
  const foreign = [{ type: "index", version: 3, keys: ["a"] }, { type: "comment", text: "kept by a person" }, { kind: "no type at all" }];
  const rich = {
    type: "entity",
    name: "rich",
    entityType: "t",
    observations: ["x"],
    created: "2026-01-01",
    labels: ["p", { q: 1 }],
    n: 1e21,
    nil: null,
  };
  const richRelation = { type: "relation", from: "a", to: "rich", relationType: "r", weight: 0.75, since: { year: 2020 } };

  test("unknown records and fields survive writes, restarts and changes by other programs", async () => {
    const content = [
      line(foreign[0]),
      line({ type: "entity", ...A }),
      line(rich),
      line(foreign[1]),
      line(richRelation),
      line(foreign[2]),
    ].join("\n");
    await using here = await on(`${content}\n`);
    const { server, file } = here;
    await server.create("new");
    await server.does("add_observations", { observations: [{ entityName: "rich", contents: ["y"] }] });
    await server.close();
    const check = (observations: string[]) => {
      const records = recordsIn(file);
      for (const record of foreign) expect(records).toContainEqual(record);
      expect(records).toContainEqual({ ...rich, observations });
      expect(records).toContainEqual(richRelation);
    };
    check(["x", "y"]);
    // As another program appends.
    writeFileSync(file, `${readFileSync(file, "utf8")}${line({ type: "later", a: 1 })}\n`);
    await using again = await serveInProcess(file);
    await again.create("newer");
    await again.close();
    check(["x", "y"]);
    expect(recordsIn(file)).toContainEqual({ type: "later", a: 1 });
  });

  test("unknown fields are not in replies, as in the reference server", async () => {
    await using here = await on(`${line(rich)}\n`);
    expect((await here.server.graph()).entities).toEqual([entity("rich", "t", "x")]);
  });

  test("a number with too many digits for JavaScript is kept as it is", async () => {
    const text = '{"type":"entity","name":"n","entityType":"t","observations":[],"id":12345678901234567890123}';
    await using here = await on(`${text}\n`);
    await here.server.create("new");
    await here.server.close();
    expect(readFileSync(here.file, "utf8")).toContain("12345678901234567890123");
  });
});

describe("rule M2: the file is a live mirror", () => {
  test("follows within 4 seconds, with mode 0600 and a final newline", async () => {
    await using folder = tempFolder();
    const file = folder.at("m.jsonl");
    await using server = await startServer(file);
    await server.does("create_entities", { entities: [A, B] });
    await server.does("create_relations", { relations: [R] });
    await waitUntil(
      () => (existsSync(file) ? readFileSync(file, "utf8") : ""),
      (text) => text === jsonl([A, B], [R]),
      4000,
    );
    for (const name of readdirSync(folder.path)) expect(statSync(folder.at(name)).mode & 0o077, name).toBe(0);
  });

  test("reads changes by another program within 4 seconds: additions, deletions, changes", async () => {
    await using here = await on(jsonl([A, B], [R]));
    const { server, file } = here;
    expect(await server.names()).toEqual(["a", "b"]);
    writeFileSync(file, jsonl([entity("a", "t", "first", "more"), entity("c", "t")], [relation("a", "likes", "c")]));
    const wanted = { entities: [entity("a", "t", "first", "more"), entity("c", "t")], relations: [relation("a", "likes", "c")] };
    const seen = await waitUntil(
      () => server.graph(),
      ({ entities }) => entities.some(({ name }) => name === "c") && !entities.some(({ name }) => name === "b"),
      4000,
    );
    expect(seen).toEqual(wanted);
  });

  test("reads changes at the start that were made while no server ran, deletions included", async () => {
    await using here = await on(jsonl([A, B], [R]));
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
    await using here = await on(jsonl([A]));
    const { server, file } = here;
    await server.names();
    // The other program has read the file before this change and writes it afterwards.
    const read = readFileSync(file, "utf8");
    await server.create("ours");
    writeFileSync(file, `${read}${line({ type: "entity", ...entity("theirs", "t") })}\n`);
    const names = await waitUntil(
      () => server.names(),
      (names) => names.includes("theirs"),
      4000,
    );
    expect(names.toSorted()).toEqual(["a", "ours", "theirs"]);
    await server.close();
    expect(namesIn(file).toSorted()).toEqual(["a", "ours", "theirs"]);
  });

  test("makes a backup before an emptied file deletes everything", async () => {
    await using here = await on(jsonl([A, B], [R]));
    await here.server.names();
    await here.server.close();
    writeFileSync(here.file, "");
    await using again = await serveInProcess(here.file);
    await again.create("new");
    const { entities } = await again.graph();
    const kept = entities.length === 3 || readdirSync(here.folder.path).some((name) => /backup/.test(name));
    expect(kept, JSON.stringify(readdirSync(here.folder.path))).toBe(true);
  });

  test("keeps a link to the file, and writes its target", async () => {
    await using folder = tempFolder({ real: { "m.jsonl": jsonl([A]) }, here: {} });
    symlinkSync("../real/m.jsonl", folder.at("here", "m.jsonl"));
    await using server = await startServer(folder.at("here", "m.jsonl"));
    await server.create("new");
    await server.close();
    expect(lstatSync(folder.at("here", "m.jsonl")).isSymbolicLink()).toBe(true);
    expect(lstatSync(folder.at("real", "m.jsonl")).isSymbolicLink()).toBe(false);
    expect(namesIn(folder.at("real", "m.jsonl"))).toEqual(["a", "new"]);
  });

  test("loses neither change when another program writes at the same time", async () => {
    await using here = await on(jsonl([A]));
    const { server, file } = here;
    const appended: string[] = [];
    for (let round = 0; round < 20; round++) {
      await server.create(`ours ${round}`);
      if (round % 5 !== 0) continue;
      const own = `theirs ${round}`;
      writeFileSync(file, line({ type: "entity", ...entity(own, "t") }) + "\n", { flag: "a" });
      appended.push(own);
    }
    const names = await waitUntil(
      () => server.names(),
      (names) => appended.every((name) => names.includes(name)),
      8000,
    );
    expect(names).toHaveLength(1 + 20 + appended.length);
    await server.close();
    expect(namesIn(file).toSorted()).toEqual(names.toSorted());
  });
});
