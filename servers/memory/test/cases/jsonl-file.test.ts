// The JSONL file: two large writes, files of dead processes, harmless variants, and records of newer versions. Rule M3.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { entity, jsonl, relation } from "../support/graphs.ts";
import { serveInProcess } from "../support/in-process.ts";
import { serveJsonl } from "../support/jsonl-store.ts";
import { namesIn, recordsIn } from "../support/mirror-file.ts";
import { allowWaiting, until } from "../support/patience.ts";

allowWaiting();

const A = entity("a", "t", "first");
const B = entity("b", "t", "second");
const R = relation("a", "knows", "b");
const line = (record: unknown): string => JSON.stringify(record);

test("case MEM-03: two large parallel writes are both stored, never mixed", async () => {
  await using folder = tempFolder();
  await using server = await serveInProcess(folder.at("m.jsonl"));
  const many = (prefix: string) => Array.from({ length: 500 }, (_, at) => entity(`${prefix}${at}`, "t", "x".repeat(400)));
  await Promise.all(["one ", "two "].map((prefix) => server.call("create_entities", { entities: many(prefix) })));
  await until(
    () => (existsSync(folder.at("m.jsonl")) ? namesIn(folder.at("m.jsonl")).length : 0),
    (count) => count === 1000,
  );
  await server.close();
  expect(recordsIn(folder.at("m.jsonl"))).toHaveLength(1000);
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
  await using server = await serveInProcess(folder.at("m.jsonl"));
  await server.create("new");
  expect(await server.names()).toEqual(["a", "new"]);
  await server.close();
  expect(namesIn(folder.at("m.jsonl"))).toEqual(["a", "new"]);
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
    await using here = await serveJsonl(content);
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
    await using here = await serveJsonl(content);
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

  test("keeps unknown records and fields over writes, restarts and changes by other programs", async () => {
    const content = [
      line(foreign[0]),
      line({ type: "entity", ...A }),
      line(rich),
      line(foreign[1]),
      line(richRelation),
      line(foreign[2]),
    ].join("\n");
    await using here = await serveJsonl(`${content}\n`);
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

  test("leaves unknown fields out of replies, as the reference server does", async () => {
    await using here = await serveJsonl(`${line(rich)}\n`);
    expect((await here.server.graph()).entities).toEqual([entity("rich", "t", "x")]);
  });

  test("keeps a number with too many digits for JavaScript", async () => {
    const text = '{"type":"entity","name":"n","entityType":"t","observations":[],"id":12345678901234567890123}';
    await using here = await serveJsonl(`${text}\n`);
    await here.server.create("new");
    await here.server.close();
    expect(readFileSync(here.file, "utf8")).toContain("12345678901234567890123");
  });
});
