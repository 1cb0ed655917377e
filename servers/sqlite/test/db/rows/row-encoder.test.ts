// Rows as text within limits: every row once and in order, none beyond a limit, and each value exactly or named as truncated.
import { describe, expect, test } from "vitest";
import type { SqlValue } from "../../../src/db/csv/dialect.ts";
import type { Format, RowLimits } from "../../../src/db/protocol/rows.ts";
import { columnKeys } from "../../../src/db/rows/column-keys.ts";
import { InexactInteger, RowEncoder, type RowOutput } from "../../../src/db/rows/row-encoder.ts";

/** Keeps what an encoder sends. */
class SentRows implements RowOutput {
  json = "";
  text = "";
  pieces = 0;
  objectsJson: string | undefined;

  arrays(json: string, text?: string): void {
    this.pieces += 1;
    this.json += json;
    if (text !== undefined) this.text += JSON.parse(`"${text}"`) as string;
  }

  objects(json: string): void {
    this.objectsJson = json;
  }

  restart(): void {
    throw new Error("nothing starts again here");
  }

  get rows(): unknown[][] {
    return JSON.parse(`[${this.json}]`) as unknown[][];
  }

  get objectRows(): unknown[] | undefined {
    return this.objectsJson === undefined ? undefined : (JSON.parse(`[${this.objectsJson}]`) as unknown[]);
  }
}

interface EncodeOptions extends Partial<RowLimits> {
  readonly names?: readonly string[];
  readonly usesBigInts?: boolean;
  readonly format?: Format;
}

function encode(
  rows: readonly (readonly SqlValue[])[],
  options: EncodeOptions = {},
): { encoder: RowEncoder; sent: SentRows; taken: boolean[] } {
  const { names = ["a"], usesBigInts = false, format, ...limits } = options;
  const sent = new SentRows();
  const columns = names.map((name) => ({ name, declaredType: null }));
  const all = { maxRows: 1000, maxBytes: 1_000_000, maxTextLength: 1000, maxBlobBytes: 8, ...limits };
  const encoder = new RowEncoder(columns, all, sent, { usesBigInts, format });
  const taken = rows.map((row) => encoder.add([...row]));
  encoder.end();
  return { encoder, sent, taken };
}

const numbers = (count: number): number[][] => Array.from({ length: count }, (_, index) => [index]);
const texts = (count: number, length = 100): string[][] => Array.from({ length: count }, () => ["x".repeat(length)]);

describe("rows", () => {
  test.each([
    [1, true, 1],
    [100, true, 1],
    [101, false, 1],
    [200, false, 1],
    [201, false, 2],
    [450, false, 3],
  ])("%i are sent once, as objects if they are few: %s", (count, asObjects, pieces) => {
    const { sent, encoder, taken } = encode(numbers(count));
    expect(taken).not.toContain(false);
    expect(sent.rows).toEqual(numbers(count));
    expect(sent.objectRows).toEqual(asObjects ? numbers(count).map(([a]) => ({ a })) : undefined);
    expect([sent.pieces, encoder.rowCount, encoder.isFull, encoder.clipped]).toEqual([pieces, count, false, []]);
    expect(encoder.bytes).toBe(sent.json.length - (pieces - 1));
  });

  test("none are sent as an empty list", () => {
    const { sent, encoder } = encode([]);
    expect([sent.pieces, sent.objectRows, encoder.rowCount, encoder.isFull]).toEqual([0, [], 0, false]);
  });

  test("have an object for each, with a number where columns share a name", () => {
    const { sent } = encode([[1, "x", null, 2]], { names: ["a", "a", "a_2", '"b'] });
    expect(sent.objectsJson).toBe('{"a":1,"a_3":"x","a_2":null,"\\"b":2}');
  });

  test("escape control characters", () => {
    const { sent } = encode([["a\u202eb\u0007"]]);
    expect([sent.json, sent.objectsJson]).toEqual(['["a\\u202eb\\u0007"]', '{"a":"a\\u202eb\\u0007"}']);
  });

  test("of a changed table are refused", () => {
    expect(() => encode([[1, 2]])).toThrow(expect.objectContaining({ code: "busy" }) as Error);
    expect(() => encode([[1]], { names: ["a", "b"] })).toThrow("The tables were changed while the statement ran. Try again.");
  });
});

test("columnKeys numbers names until none is taken", () => {
  const columns = ["a", "a", "a", "a_2", "b"].map((name) => ({ name, declaredType: null }));
  expect(columnKeys(columns)).toEqual(['"a":', '"a_3":', '"a_4":', '"a_2":', '"b":']);
  expect(columnKeys(columns)).toBe(columnKeys(columns));
});

describe("the limit of rows", () => {
  test("is reached by the first row beyond it", () => {
    const { sent, encoder, taken } = encode(numbers(4), { maxRows: 2 });
    expect(taken).toEqual([true, true, false, false]);
    expect([sent.rows, encoder.rowCount, encoder.isFull]).toEqual([[[0], [1]], 2, true]);
    expect(encode(numbers(2), { maxRows: 2 }).encoder.isFull).toBe(false);
  });

  test("may be none", () => {
    const { sent, encoder } = encode(numbers(1), { maxRows: 0 });
    expect([sent.pieces, encoder.rowCount, encoder.isFull]).toEqual([0, 0, true]);
  });
});

describe("the limit of bytes", () => {
  // Twice a row of 104 bytes, 2 for the escaped quotes, and at most 16 for the name of its column.
  const ROW_BYTES = 226;

  test.each([600, 1000, 2260, 5000, 20_000])("%i is used up and not exceeded", (maxBytes) => {
    const { sent, encoder, taken } = encode(texts(300), { maxBytes });
    const bytes = sent.json.length + JSON.stringify(sent.json).length;
    expect(bytes).toBeLessThanOrEqual(maxBytes);
    expect((encoder.rowCount + 1) * ROW_BYTES).toBeGreaterThan(maxBytes - 2 * ROW_BYTES);
    expect([sent.rows.length, encoder.isFull, taken.at(-1)]).toEqual([encoder.rowCount, true, false]);
    expect(encoder.bytes).toBe(encoder.rowCount * 104 + encoder.rowCount - sent.pieces);
  });

  test.each([
    [2 * ROW_BYTES, 2],
    [2 * ROW_BYTES - 1, 1],
    [ROW_BYTES, 1],
  ])("%i holds %i rows", (maxBytes, count) => {
    expect(encode(texts(5), { maxBytes }).encoder.rowCount).toBe(count);
  });

  test("admits a first row of any size, but no second one", () => {
    const { sent, encoder } = encode(texts(2, 500), { maxBytes: 300 });
    expect([sent.rows, encoder.rowCount, encoder.isFull]).toEqual([texts(1, 500), 1, true]);
    const later = encode([["a"], ...texts(1, 500)], { maxBytes: 300 });
    expect([later.sent.rows, later.encoder.isFull]).toEqual([[["a"]], true]);
  });

  test("leaves out an oversized first row on request", () => {
    const { sent, encoder, taken } = encode(texts(2, 500), { maxBytes: 300, omitOversizedRow: true });
    expect([sent.pieces, encoder.rowCount, encoder.isFull, taken]).toEqual([0, 0, true, [false, false]]);
    expect(encode(texts(1, 20), { maxBytes: 300, omitOversizedRow: true }).encoder.rowCount).toBe(1);
  });

  test("may be lower for the text", () => {
    // 104 bytes, 2 for the escaped quotes, and 16 for the name of the column.
    expect(encode(texts(9), { maxTextBlockBytes: 3 * 122 }).encoder.rowCount).toBe(3);
    expect(encode(texts(9), { maxTextBlockBytes: 3 * 122 - 1 }).encoder.rowCount).toBe(2);
    const { encoder } = encode(texts(300), { maxTextBlockBytes: 5000 });
    expect([encoder.rowCount, encoder.isFull]).toEqual([5000 / 122 - ((5000 / 122) % 1), true]);
  });

  test("counts the characters that escaping adds", () => {
    const quotes = Array.from({ length: 300 }, () => ['"'.repeat(50)]);
    const { sent, encoder } = encode(quotes, { maxBytes: 20_000 });
    expect(encoder.isFull).toBe(true);
    expect(sent.json.length + JSON.stringify(sent.json).length).toBeLessThanOrEqual(20_000);
    const blobs = Array.from({ length: 300 }, () => [Buffer.of(1, 2)]);
    const other = encode(blobs, { maxBytes: 5000 });
    expect(other.sent.json.length + JSON.stringify(other.sent.json).length).toBeLessThanOrEqual(5000);
    expect(other.encoder.rowCount).toBeGreaterThan(30);
  });

  test("counts the names of columns only when rows are objects", () => {
    const names = ["n".repeat(200)];
    const few = encode(numbers(90), { names, maxBytes: 30_000 });
    expect((few.sent.objectsJson ?? "").length + few.sent.json.length).toBeLessThanOrEqual(30_000);
    expect([few.encoder.isFull, few.encoder.rowCount < 30]).toEqual([true, true]);
    expect(encode(numbers(600), { names, maxBytes: 10_000_000 }).encoder.isFull).toBe(false);
  });
});

describe("values", () => {
  test.each<[SqlValue, unknown]>([
    [null, null],
    ["text", "text"],
    [1.5, 1.5],
    [2 ** 53 - 1, 2 ** 53 - 1],
    [-(2 ** 53) + 1, -(2 ** 53) + 1],
    [2 ** 64, 2 ** 64],
    [-(2 ** 64), -(2 ** 64)],
    [Infinity, "Infinity"],
    [-Infinity, "-Infinity"],
    [Buffer.of(), { bytes: 0, base64: "" }],
    [Buffer.of(1, 2, 3), { bytes: 3, base64: "AQID" }],
  ])("%j becomes %j", (value, cell) => {
    expect(encode([[value]]).sent.rows).toEqual([[cell]]);
  });

  test.each<[SqlValue, unknown]>([
    [5n, 5],
    [-(2n ** 53n) + 1n, -(2 ** 53) + 1],
    [2n ** 53n, "9007199254740992"],
    [-(2n ** 63n), "-9223372036854775808"],
    [2 ** 53, 2 ** 53],
    [2 ** 63, 2 ** 63],
  ])("%s with exact integers becomes %j", (value, cell) => {
    expect(encode([[value]], { usesBigInts: true }).sent.rows).toEqual([[cell]]);
  });

  test.each([2 ** 53, -(2 ** 53), 2 ** 63, -(2 ** 63)])("%i may be a rounded integer", (value) => {
    expect(() => encode([[value]])).toThrow(InexactInteger);
  });

  test("are truncated above their limits, and listed with their lengths", () => {
    const rows = [
      ["12345", Buffer.alloc(3)],
      ["123456", Buffer.alloc(4)],
    ];
    const { sent, encoder } = encode(rows, { names: ["t", "b"], maxTextLength: 5, maxBlobBytes: 3 });
    expect(sent.rows).toEqual([
      ["12345", { bytes: 3, base64: "AAAA" }],
      ["12345…", { bytes: 4, base64: "AAAA" }],
    ]);
    expect(encoder.clipped).toEqual([
      { row: 1, column: "t", length: 6 },
      { row: 1, column: "b", length: 4 },
    ]);
  });

  test("are listed up to a number, and only from rows that are sent", () => {
    const many = encode(texts(150, 20), { maxTextLength: 5 }).encoder.clipped;
    expect([many.length, many.at(-1)?.row]).toEqual([100, 99]);
    const { encoder } = encode(texts(50, 300), { maxTextLength: 100, maxBytes: 2000 });
    expect(encoder.clipped.map(({ row }) => row)).toEqual(Array.from({ length: encoder.rowCount }, (_, index) => index));
    expect(encode(texts(2, 300), { maxTextLength: 200, maxBytes: 100, omitOversizedRow: true }).encoder.clipped).toEqual([]);
  });
});

describe("other formats", () => {
  const rows: SqlValue[][] = [
    [1n, "a,b"],
    [2, null],
    [3n, Buffer.alloc(10, 1)],
    [4n, "123456789"],
  ];
  const options = { names: ["id", "v"], usesBigInts: true, maxTextLength: 6 } as const;

  test.each([
    ["csv", "id,v\r\n1,\"a,b\"\r\n2.0,\r\n3,x'0101010101010101…'\r\n4,123456…\r\n"],
    ["markdown", "| id | v |\n| --- | --- |\n| 1 | a,b |\n| 2.0 |  |\n| 3 | x'0101010101010101…' |\n| 4 | 123456… |\n"],
  ] as const)("%s sends the same rows, and no objects", (format, text) => {
    const { sent, encoder } = encode(rows, { ...options, format });
    expect([sent.text, sent.objectRows]).toEqual([text, undefined]);
    expect(sent.rows).toEqual(encode(rows, options).sent.rows);
    expect(encoder.clipped).toHaveLength(2);
  });

  test("csv sends its header once, also without rows", () => {
    expect(encode([], { format: "csv" }).sent).toMatchObject({ json: "", text: "a\r\n", pieces: 1 });
    const { sent } = encode(numbers(450), { format: "csv" });
    expect(sent.text).toBe(
      `a\r\n${numbers(450)
        .map(([a]) => `${a}.0\r\n`)
        .join("")}`,
    );
    expect([sent.pieces, sent.rows]).toEqual([3, numbers(450)]);
  });

  test("csv keeps text and rows together at the limit of bytes", () => {
    const { sent, encoder } = encode(texts(300), { format: "csv", maxBytes: 9000 });
    expect(sent.text).toBe(`a\r\n${`${"x".repeat(100)}\r\n`.repeat(encoder.rowCount)}`);
    expect([sent.rows.length, encoder.isFull]).toEqual([encoder.rowCount, true]);
    expect(sent.json.length + JSON.stringify(sent.text).length).toBeLessThanOrEqual(9000);
    expect(encoder.rowCount).toBeGreaterThan(35);
  });
});
