// read_query with format csv and markdown: only the text differs from format json.
import type { Json } from "@oarlock/server-kit/protocol";
import { escapeControls } from "@oarlock/domain-kit";
import { parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anyText } from "../support/any-text.ts";
import { openShop, text, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

const FORMATS = ["csv", "markdown"] as const;
type Read = { readonly head: readonly unknown[]; readonly rows: readonly (readonly unknown[])[] };

/** The value of a field without quotes, by the rules of docs/sqlite.md. */
function bare(field: string): unknown {
  if (field === "") return null;
  if (field.startsWith("x'")) return { hex: field.slice(2, -1) };
  if (/^-?Infinity$/.test(field)) return { infinity: field };
  if (/^-?\d+$/.test(field)) return { integer: field };
  return /^-?\d+(?:\.\d+)?(?:e[+-]\d+)?$/.test(field) ? { real: field } : field;
}

function readCsv(content: string): Read {
  expect(content).toMatch(/\r\n$/);
  const records: unknown[][] = parse(content, {
    record_delimiter: "\r\n",
    relax_column_count: false,
    cast: (field, { quoting }) => (quoting ? field : bare(field)),
  });
  const [head = [], ...rows] = records;
  return { head, rows };
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function readMarkdown(content: string): Read {
  const lines = content.split("\n");
  expect(lines.pop()).toBe("");
  const [head = [], rule, ...rows] = lines.map((line) => {
    expect(line).toMatch(/^\| .* \|$/su);
    const cells = line.slice(2, -2).split(/(?<=(?<!\\)(?:\\\\)*) \| /);
    return cells.map((cell) => {
      const plain = cell.replaceAll(
        /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/g,
        (_all, two: string | undefined, four: string | undefined, sign = "") => {
          const code = two ?? four;
          return code === undefined ? (SHORT_ESCAPES[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16));
        },
      );
      return plain.startsWith('"') ? plain.slice(1, -1).replaceAll('""', '"') : bare(plain);
    });
  });
  expect(rule).toEqual(head.map(() => "---"));
  return { head, rows };
}

/** Sorts the table before the notes. */
const byKind = (one: { text: string }, other: { text: string }): number =>
  Number(one.text.startsWith("[")) - Number(other.text.startsWith("["));

const READ = { csv: readCsv, markdown: readMarkdown };

/** A value of the structured result in the form that the readers above return. */
function decoded(value: unknown, kind: unknown): unknown {
  if (value === null) return null;
  if (kind === "blob") return { hex: Buffer.from((value as { base64: string }).base64, "base64").toString("hex") };
  if (kind === "text") return value;
  if (typeof value === "number" || kind === "integer")
    return /^-?\d+$/.test(String(value)) ? { integer: String(value) } : { real: String(value) };
  return { infinity: value };
}

describe("values", () => {
  const query = `SELECT 1 AS id, NULL AS nil, '' AS empty, 'plain' AS text, x'00ff' AS bytes UNION ALL
    SELECT 9007199254740993, 'NULL', '12', 'a,b|c', 'x''00ff''' UNION ALL
    SELECT -1.5, 'two' || char(13, 10) || 'lines', ' blank', 'say "hi"', 'back\\slash'`;
  const content = {
    csv: [
      "id,nil,empty,text,bytes",
      `1,,"",plain,x'00ff'`,
      `9007199254740993,NULL,"12","a,b|c","x'00ff'"`,
      `-1.5,"two\r\nlines"," blank","say ""hi""",back\\slash`,
      "",
    ].join("\r\n"),
    markdown: [
      "| id | nil | empty | text | bytes |",
      "| --- | --- | --- | --- | --- |",
      `| 1 |  | "" | plain | x'00ff' |`,
      `| 9007199254740993 | NULL | "12" | a,b\\|c | "x'00ff'" |`,
      `| -1.5 | two\\r\\nlines | " blank" | say "hi" | back\\\\slash |`,
      "",
    ].join("\n"),
  };
  test.each(FORMATS)("follow the rules of docs/sqlite.md in %s", async (format) => {
    const result = await shop.call("read_query", { query, format });
    expect(text(result)).toBe(content[format]);
    const { elapsedMs: _, ...json } = await shop.structured("read_query", { query, format: "json" });
    expect(result.structuredContent).toEqual({ ...json, elapsedMs: expect.any(Number) });
  });

  test("return exactly from either format", async () => {
    const value = fc.oneof(
      fc.constant(null),
      anyText(),
      fc.stringMatching(/^[ "'x|\\,\n\r0-9.e+-]{0,6}$/),
      fc.integer(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((integer) => ({ integer: String(integer) })),
      fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true }),
      fc.uint8Array({ maxLength: 5 }).map((bytes) => ({ base64: Buffer.from(bytes).toString("base64") })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 20 }),
        fc.constantFrom(...FORMATS),
        async (rows, format) => {
          const values = `WITH v(a, b) AS (VALUES ${rows.map(() => "(?, ?)").join(", ")}) SELECT`;
          const params = rows.flat() as Json[string];
          const kinds = (await shop.rows(`${values} typeof(a), typeof(b) FROM v`, { params })) as unknown[][];
          const result = await shop.call("read_query", { query: `${values} * FROM v`, params, format });
          const { rows: given } = result.structuredContent as { rows: unknown[][] };
          // The first block has the rows; a second one may warn of U+FFFD.
          const [first] = result.content as { text: string }[];
          const escaped = (one: unknown): unknown =>
            format === "csv" && typeof one === "string" ? one.replaceAll(/[^\t\n\r]+/g, escapeControls) : one;
          expect(READ[format](first?.text ?? "")).toEqual({
            head: ["a", "b"],
            rows: given.map((row, at) => row.map((one, index) => escaped(decoded(one, kinds[at]?.[index])))),
          });
        },
      ),
      { numRuns: process.env["OARLOCK_LONG"] === "1" ? 2000 : 25 },
    );
  });

  test("distinguish Infinity without quotes from the text 'Infinity' with quotes", async () => {
    const query = "SELECT 1e999 AS up, -1e999 AS down, 'Infinity' AS word";
    expect(text(await shop.call("read_query", { query, format: "csv" }))).toBe('up,down,word\r\nInfinity,-Infinity,"Infinity"\r\n');
  });
});

describe("a reply without rows", () => {
  test.each([
    ["csv", '"a,b",n,n,"1"\r\n'],
    ["markdown", '| a,b | n | n | "1" |\n| --- | --- | --- | --- |\n'],
  ])("has only the header in %s", async (format, content) => {
    const query = 'SELECT 1 AS "a,b", 2 AS n, 3 AS n, 4 AS "1" WHERE 0';
    const result = await shop.call("read_query", { query, format });
    expect(text(result)).toBe(content);
    expect(result.structuredContent).toMatchObject({ rows: [], rowCount: 0, truncated: false });
  });
});

const COUNTING = "WITH RECURSIVE c(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c LIMIT";

describe.each(FORMATS)("%s", (format) => {
  test("returns every row over pages, also if the format changes between pages", async () => {
    const query = `${COUNTING} 450) SELECT i, 'row | ' || i AS name FROM c`;
    const seen: unknown[] = [];
    let cursor: unknown;
    for (const [page, as] of [format, "json", format, format].entries()) {
      const result = await shop.call("read_query", { query, limit: 125, format: as, ...(cursor !== undefined && { cursor }) });
      const { rows, nextCursor } = result.structuredContent as { rows: unknown[]; nextCursor?: string };
      seen.push(...rows);
      cursor = nextCursor;
      const [table, ...notes] = (result.content as { text: string }[]).toSorted(byKind);
      expect(notes).toHaveLength(page === 3 ? 0 : 1);
      if (as === format) expect(READ[format](table?.text ?? "").rows).toHaveLength(rows.length);
    }
    expect(seen).toEqual(Array.from({ length: 450 }, (_, index) => [index + 1, `row | ${index + 1}`]));
  });

  test("repeats neither header nor rows for an integer past 2^53 after many rows", async () => {
    const query = `${COUNTING} 700) SELECT i FROM c UNION ALL SELECT 9007199254740993`;
    for (const _again of [1, 2]) {
      const { head, rows } = READ[format](text(await shop.call("read_query", { query, format })));
      expect(head).toEqual(["i"]);
      expect(rows).toEqual(
        [...Array.from({ length: 700 }, (_, index) => index + 1), "9007199254740993"].map((i) => [{ integer: String(i) }]),
      );
    }
  });

  test("truncates values as in JSON, and keeps replies within their limit", async () => {
    await using small = await openShop({ maxResultBytes: 20_000 });
    const query = `${COUNTING} 300) SELECT i, printf('%.*c', i, '"') AS q, zeroblob(i * 9) AS b FROM c`;
    const seen: number[] = [];
    let cursor: unknown;
    do {
      const result = await small.call("read_query", { query, format, ...(cursor !== undefined && { cursor }) });
      expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(20_000);
      const {
        rows: given,
        nextCursor,
        clipped = [],
      } = result.structuredContent as {
        rows: [number, string, { bytes: number; base64: string }][];
        nextCursor?: string;
        clipped?: unknown[];
      };
      const [table, ...notes] = (result.content as { text: string }[]).toSorted(byKind);
      const { rows } = READ[format](table?.text ?? "");
      expect(rows).toEqual(
        given.map(([i, q, { bytes, base64 }]) => {
          const hex = Buffer.from(base64, "base64").toString("hex");
          return [{ integer: String(i) }, q, { hex: hex.length / 2 < bytes ? `${hex}…` : hex }];
        }),
      );
      expect(notes.some(({ text: note }) => note.includes("reads a part]"))).toBe(clipped.length > 0);
      seen.push(...given.map(([i]) => i));
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
  });
});

test.each(["xml", "", "CSV", 1])("read_query refuses the format %j", async (format) => {
  expect(await shop.failure("read_query", { query: "SELECT 1", format })).toContain("format");
});
