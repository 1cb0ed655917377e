// Damaged lines of the JSONL file are kept and reported, all others are served. Rule M3.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { entity, jsonl, relation } from "../support/graphs.ts";
import { serveInProcess } from "../support/in-process.ts";
import { serveJsonl, textBeside } from "../support/jsonl-store.ts";
import { namesIn } from "../support/mirror-file.ts";

const A = entity("a", "t", "first");
const B = entity("b", "t", "second");
const R = relation("a", "knows", "b");
const line = (record: unknown): string => JSON.stringify(record);

describe("case MEM-06: an incomplete last line", () => {
  const whole = JSON.stringify({ type: "entity", ...B });
  // Truncated at many positions, also within a multi-byte character.
  const bytes = Buffer.from(whole.replace("second", "zweites ü"));
  test.each([1, 2, 8, 20, 40, bytes.indexOf(0xbc), bytes.length - 3, bytes.length - 1])(
    "cut after %i bytes is reported, kept in the side file, and nothing is appended to it",
    async (length) => {
      const torn = bytes.subarray(0, length);
      await using here = await serveJsonl(Buffer.concat([Buffer.from(jsonl([A])), torn]));
      const { server, file, folder } = here;
      expect(await server.names()).toEqual(["a"]);
      expect(server.stderr).toMatch(/line 2\b/);
      await server.create("new");
      await server.close();
      expect(namesIn(file)).toEqual(["a", "new"]);
      const kept = readdirSync(folder.path).some(
        (name) => !/\.db/.test(name) && name !== "m.jsonl" && readFileSync(folder.at(name)).includes(torn),
      );
      expect(kept, textBeside(folder)).toBe(true);
    },
  );

  test("reads a last line without a newline", async () => {
    await using here = await serveJsonl(jsonl([A, B]).trimEnd());
    await here.server.create("new");
    expect(await here.server.names()).toEqual(["a", "b", "new"]);
    await here.server.close();
    expect(namesIn(here.file)).toEqual(["a", "b", "new"]);
  });
});

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
    await using here = await serveJsonl(`${jsonl([A])}${bad}\n${jsonl([B], [R])}`);
    const { server, file, folder } = here;
    expect(await server.graph()).toEqual({ entities: [A, B], relations: [R] });
    expect(server.stderr).toMatch(/line 2\b/);
    await server.create("new");
    await server.close();
    const text = readFileSync(file, "utf8");
    expect(`${text}\n${textBeside(folder)}`).toContain(bad);
    await using again = await serveInProcess(file);
    expect(await again.graph()).toEqual({ entities: [A, B, entity("new", "t")], relations: [R] });
  });

  test("stores both of two objects on one line", async () => {
    const glued = line({ type: "entity", ...A }) + line({ type: "entity", ...B });
    await using here = await serveJsonl(`${glued}\n${jsonl([entity("c", "t")])}`);
    const { server, file, folder } = here;
    const names = await server.names();
    await server.create("new");
    await server.close();
    // Either both are read, or the line is in the side file.
    if (names.includes("a")) expect(names).toEqual(["a", "b", "c"]);
    else expect(textBeside(folder)).toContain(glued);
    expect(server.stderr).toMatch(/line 1\b/);
    expect(namesIn(file)).toEqual([...names, "new"]);
  });

  test("bytes that are not UTF-8 are kept as bytes", async () => {
    const bad = Buffer.from([0xff, 0xfe, 0x41, 0xc3, 0x28]);
    await using here = await serveJsonl(Buffer.concat([Buffer.from(jsonl([A])), bad, Buffer.from(`\n${jsonl([B])}`)]));
    expect(await here.server.names()).toEqual(["a", "b"]);
    expect(here.server.stderr).toMatch(/line 2\b/);
    await here.server.create("new");
    await here.server.close();
    const files = readdirSync(here.folder.path).filter((name) => !/\.db/.test(name));
    expect(files.some((name) => readFileSync(here.folder.at(name)).includes(bad))).toBe(true);
  });

  test("serves the first of two records with one name, and keeps the other", async () => {
    const other = { type: "entity", name: "a", entityType: "other", observations: ["only in the second"] };
    await using here = await serveJsonl(`${jsonl([A])}${line(other)}\n${jsonl([B], [R, R])}`);
    const { server, folder, file } = here;
    const { entities, relations } = await server.graph();
    expect(entities.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(entities[0]!.entityType).toBe("t");
    expect(relations).toEqual([R]);
    await server.create("new");
    await server.close();
    expect(`${readFileSync(file, "utf8")}${textBeside(folder)}`).toContain("only in the second");
  });

  test("starts beside a file of damaged lines only, and keeps them", async () => {
    const damage = "one\ntwo\nthree";
    await using here = await serveJsonl(damage);
    expect(await here.server.names()).toEqual([]);
    await here.server.create("new");
    await here.server.close();
    expect(namesIn(here.file)).toEqual(["new"]);
    for (const word of damage.split("\n")) expect(textBeside(here.folder)).toContain(word);
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
    await using here = await serveJsonl(array);
    const names = await here.server.names();
    await here.server.create("new");
    await here.server.close();
    if (names.length > 0) expect(names).toEqual(["a", "b"]);
    else for (const word of ['"first"', '"second"', '"knows"']) expect(textBeside(here.folder)).toContain(word);
    expect(namesIn(here.file)).toEqual([...names, "new"]);
  });
});
