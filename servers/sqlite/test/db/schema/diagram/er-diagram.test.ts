// The ER diagram of a schema: valid Mermaid whatever the names, and bounded.
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { Engine } from "../../../../src/db/engine/engine.ts";
import { erDiagram } from "../../../../src/db/schema/diagram/er-diagram.ts";
import { makeDatabase } from "../../../support/databases.ts";

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

async function diagramFor(sql: string): Promise<string> {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), `BEGIN; ${sql}; COMMIT`);
  const engine = new Engine({ file, label: "shop", write: false });
  try {
    return erDiagram(engine, { op: "diagram", maxBytes: 2_000_000 }).text;
  } finally {
    engine.close();
  }
}

describe("relationships", () => {
  test.each([
    ["a key that may be NULL", "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p)", 'p |o--o{ c : "p"'],
    ["a unique key", "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p NOT NULL UNIQUE REFERENCES p)", 'p ||--o| c : "p"'],
    [
      "a key that is the primary key",
      "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (id INTEGER PRIMARY KEY REFERENCES p)",
      'p ||--o| c : "id"',
    ],
    [
      "a key on a part of a unique key",
      "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p, q, UNIQUE (p, q))",
      'p |o--o{ c : "p"',
    ],
    [
      "a partial unique index",
      "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p); CREATE UNIQUE INDEX i ON c (p) WHERE p > 1",
      'p |o--o{ c : "p"',
    ],
    [
      "an index on an expression",
      "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p); CREATE UNIQUE INDEX i ON c (abs(p))",
      'p |o--o{ c : "p"',
    ],
    [
      "a composite key",
      "CREATE TABLE p (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID; CREATE TABLE c (x NOT NULL, y, FOREIGN KEY (x, y) REFERENCES p)",
      'p |o--o{ c : "x, y"',
    ],
    ["a key to the same table", "CREATE TABLE tree (id INTEGER PRIMARY KEY, parent REFERENCES tree)", 'tree |o--o{ tree : "parent"'],
    [
      "a table in another case",
      "CREATE TABLE Parent (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES PARENT)",
      'Parent |o--o{ c : "p"',
    ],
    ["a table that does not exist", "CREATE TABLE c (p REFERENCES nowhere)", 'nowhere |o--o{ c : "p"'],
    [
      "two keys between the same tables",
      "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (a REFERENCES p, b REFERENCES p)",
      'p |o--o{ c : "b"',
    ],
  ])("shows %s", async (_name, sql, line) => {
    expect((await diagramFor(sql)).split("\n")).toContain(`    ${line}`);
  });
});

// Lines that Mermaid 11 takes. An entity is a plain word or a quoted text without " % \ and line breaks.
const ENTITY = String.raw`(?:"[^"%\\\p{Cc}]+"|[A-Za-z_]\w*)`;
const LINES = [
  /^erDiagram$/,
  /^ {4}%% (?:view|virtual table)$/,
  new RegExp(`^ {4}${ENTITY}(?: \\{)?$`, "u"),
  /^ {8}(?![pfu]k(?!\w))[A-Za-z_\u00c0-\uffff][\w()\u00c0-\uffff]* (?![pfu]k(?!\w))[A-Za-z_\u00c0-\uffff][\w()\u00c0-\uffff]*(?: [PFU]K(?:, [FU]K)*)?(?: "[^"~%\p{Cc}]+")?$/iu,
  /^ {4}\}$/,
  new RegExp(String.raw`^ {4}${ENTITY} (?:\|\||\|o)--o[|{] ${ENTITY} : "[^"%\\\p{Cc}]*"$`, "u"),
  /^$/,
];
/** Words that Mermaid reads as something else, unless they are quoted. */
const RESERVED =
  /^ {4}(?:accDescr|accTitle|class|classDef|direction|end|erDiagram|many|one|only|optionally|style|subgraph|title|to|u|zero)\b/i;
const HOSTILE = [
  ...['quo"te', "a b", "per%cent", "%%{init: {}}%%", "back\\slash", "new\nline", "tab\t", "#34;", "~a~b~", "<b>x</b>", "`tick`"],
  ...["日本", "Ünï", "emoji 😀", "1abc", "{", "}", "[x]", "||--o{", ":", "--", "a,b", "*", "\u202ertl", "\u2028", "direction TB"],
  ...["class", "classDef", "direction", "end", "erDiagram", "many", "one", "only", "style", "subgraph", "title", "to", "u", "zero"],
  ...["accTitle", "accDescr", "pk", "FK", "uk", "pk-1", "select", "", "x".repeat(300), `${"x".repeat(300)}y`],
];

test.each(HOSTILE)("draws a valid diagram with the name %j", async (name) => {
  const table = quoted(name);
  const text = await diagramFor(
    `CREATE TABLE ${table} (${table} ${table} NOT NULL, "id" INTEGER PRIMARY KEY, up REFERENCES ${table});
     CREATE TABLE other (x "we ird"(10,2), ${quoted(`${name}2`)} REFERENCES ${table})`,
  );
  const lines = text.split("\n");
  expect(lines.filter((line) => !LINES.some((valid) => valid.test(line)))).toEqual([]);
  expect(lines.filter((line) => RESERVED.test(line) || /direction\s+(?:TB|BT|RL|LR)/i.test(line.replace(/".*?"$/, "")))).toEqual([]);
  const entities = lines.flatMap((line) => /^ {4}(.*) \{$/.exec(line)?.[1] ?? []);
  expect(new Set(entities).size).toBe(2);
  expect(
    lines
      .filter((line) => / : "/.test(line))
      .map((line) =>
        line
          .trim()
          .split(/ \|o--o\{ | : /)
          .slice(0, 2),
      ),
  ).toEqual(
    expect.arrayContaining([
      [entities.find((entity) => entity !== "other"), "other"],
      [entities.find((entity) => entity !== "other"), entities.find((entity) => entity !== "other")],
    ]),
  );
});

test("keeps two entities apart whose long names begin alike", async () => {
  const text = await diagramFor(["y", "z"].map((end) => `CREATE TABLE ${"x".repeat(300)}${end} (a);`).join(" "));
  expect(new Set(text.match(/^ {4}"x+….* \{$/gm)).size).toBe(2);
});

test("names and types a column exactly in its comment when Mermaid lacks the word", async () => {
  expect(await diagramFor('CREATE TABLE t ("first name" DECIMAL(10,2) NOT NULL, pk, b AS (1))')).toContain(`
        DECIMAL(10_2) first_name "name: first name; type: DECIMAL(10,2); not null"
        untyped _pk "name: pk"
        untyped b "generated"
`);
});

test("draws no columns of a view that cannot be compiled", async () => {
  expect(await diagramFor("CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t; DROP TABLE t")).toBe("erDiagram\n    %% view\n    v\n");
});

test("draws an empty diagram of an empty database", async () => {
  expect(await diagramFor("")).toBe("erDiagram\n");
});

test("leaves shadow tables and SQLite's own tables out of the diagram", async () => {
  const text = await diagramFor("CREATE VIRTUAL TABLE f USING fts5(a); CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT); ANALYZE");
  expect(text.match(/^ {4}\w+/gm)).toEqual(["    f", "    t"]);
});

test("draws only key columns when the diagram is too large", async () => {
  const columns = Array.from({ length: 100 }, (_, index) => `column_number_${index}`).join(", ");
  const tables = Array.from({ length: 30 }, (_, index) => `CREATE TABLE t${index} (id INTEGER PRIMARY KEY, ${columns});`);
  const text = await diagramFor(tables.join(" "));
  expect(text).toMatch(/^erDiagram\n {4}%% truncated: only columns of keys are shown/);
  expect(text.match(/^ {8}INTEGER id PK$/gm)).toHaveLength(30);
  expect(text).not.toContain("column_number");
});

test("draws only the first tables when the diagram is still too large", async () => {
  const tables = Array.from({ length: 3000 }, (_, index) => `CREATE TABLE table_number_${index} (id INTEGER PRIMARY KEY);`);
  const text = await diagramFor(tables.join(" "));
  const entities = text.match(/^ {4}table_number_\d+ \{$/gm)?.length ?? 0;
  expect(text).toContain(`%% truncated: ${entities} of 3000 tables are shown. Use list_tables and describe_table for the rest`);
  expect(entities).toBeGreaterThan(500);
  expect(text.length).toBeLessThanOrEqual(50_000);
});
