// Fields of tables in text: which texts need quotes, and which bare fields are numbers, BLOBs or NULL.
import { describe, expect, test } from "vitest";
import { ColumnProfile } from "../../../src/db/csv/column-profile.ts";
import { columnTypeFor, keeps, type ColumnType } from "../../../src/db/csv/column-types.ts";
import { blobOf, fieldOf, isInteger64, isNull, isTruncatedBlob, numberOf, type Field, type SqlValue } from "../../../src/db/csv/dialect.ts";

const bare = (text: string): Field => ({ text, isQuoted: false });
const quoted = (text: string): Field => ({ text, isQuoted: true });

describe("fieldOf", () => {
  test.each([
    ...[
      "",
      " a",
      "\ta",
      "\na",
      "a ",
      "a\n",
      '"',
      '"a',
      "x'",
      "X'00'b",
      "1",
      "-1",
      "+1",
      "12.5",
      "1.",
      ".5",
      ".55",
      "-.5",
      "1e5",
      "1E+5",
      "1.5e-10",
    ],
    ...["Infinity", "-Infinity", "infinity"],
  ])("quotes the text %j", (text) => {
    expect(fieldOf(text)).toEqual(quoted(text));
  });

  test.each([
    ...[
      "a",
      "a b",
      'a"',
      "1a",
      "a1",
      "1e",
      "e5",
      ".",
      "+",
      "-",
      "1.5.5",
      "--1",
      "1e5.5",
      "1-",
      "Infinity!",
      "an Infinity",
      "x",
      "ax'00'",
      "x00",
      "NULL",
    ],
    ...["1,5", "7 8", "é"],
  ])("does not quote the text %j", (text) => {
    expect(fieldOf(text)).toEqual(bare(text));
  });

  test.each<[SqlValue, string]>([
    [null, ""],
    [12n, "12"],
    [-9223372036854775808n, "-9223372036854775808"],
    [1, "1.0"],
    [-10, "-10.0"],
    [1.5, "1.5"],
    [1e21, "1e+21"],
    [-Infinity, "-Infinity"],
    [Buffer.of(), "x''"],
    [Buffer.of(1, 255), "x'01ff'"],
    [Buffer.of(1, 2, 3), "x'010203'"],
  ])("writes %s as the bare text %s", (value, text) => {
    expect(fieldOf(value)).toEqual(bare(text));
  });

  test("truncates a BLOB only above the limit", () => {
    expect([Buffer.of(1), Buffer.of(1, 2), Buffer.of(1, 2, 3)].map((blob) => fieldOf(blob, 2).text)).toEqual([
      "x'01'",
      "x'0102'",
      "x'0102…'",
    ]);
  });
});

test("isNull is true for an empty field without quotes only", () => {
  expect([bare(""), quoted(""), bare("a"), quoted("a")].map(isNull)).toEqual([true, false, false, false]);
});

describe("BLOBs", () => {
  test.each([
    ["x''", ""],
    ["x'0102'", "0102"],
    ["X'aBFf'", "abff"],
  ])("reads %s", (text, hex) => {
    expect(blobOf(bare(text))?.toString("hex")).toBe(hex);
    expect([blobOf(quoted(text)), isTruncatedBlob(bare(text))]).toEqual([undefined, false]);
  });

  test.each(["x'0'", "x'010'", "x'0g'", "ax'00'", "x'00'b", "x'00", "'00'", "x'01…'"])("does not read %s", (text) => {
    expect(blobOf(bare(text))).toBeUndefined();
  });

  test.each([
    [bare("x'…'"), true],
    [bare("X'01fF…'"), true],
    [quoted("x'01…'"), false],
    [bare("ax'01…'"), false],
    [bare("x'01…'b"), false],
    [bare("x'0g…'"), false],
  ])("isTruncatedBlob(%j) is %s", (field, expected) => {
    expect(isTruncatedBlob(field)).toBe(expected);
  });
});

describe("numbers", () => {
  test.each([
    ["5", 5n],
    ["-12", -12n],
    ["1.5", 1.5],
    ["1.0", 1],
    ["1e+21", 1e21],
    ["-Infinity", -Infinity],
    ["9223372036854775807", 9223372036854775807n],
  ])("numberOf reads %s", (text, number) => {
    expect(numberOf(bare(text))).toBe(number);
    expect(numberOf(quoted(text))).toBeUndefined();
  });

  test.each(["", "007", "1.50", "1e21", "-0", "+1", " 1", "NaN", "abc", "0x10"])("numberOf reads %j as text", (text) => {
    expect(numberOf(bare(text))).toBeUndefined();
  });

  test.each(["0", "7", "-5", "123456789012345678", "-999999999999999999", "9223372036854775807", "-9223372036854775808"])(
    "reads %s as a 64-bit integer",
    (text) => {
      expect(isInteger64(text)).toBe(true);
    },
  );

  test.each([
    ...[
      "",
      "-",
      "-0",
      "00",
      "01",
      "-01",
      "+1",
      "1a",
      "a1",
      "1.0",
      "1 ",
      "9223372036854775808",
      "-9223372036854775809",
      "9999999999999999999",
    ],
    "10000000000000000000",
  ])("rejects %j as beyond 64 bits", (text) => {
    expect(isInteger64(text)).toBe(false);
  });
});

describe("columns of a new table", () => {
  test.each<[ColumnType, Field[]]>([
    ["TEXT", []],
    ["TEXT", [bare("")]],
    ["TEXT", [bare(""), quoted("")]],
    ["BLOB", [bare(""), bare("x'00'")]],
    ["BLOB", [quoted(""), bare("x''")]],
    ["INTEGER", [bare("1"), bare("-20"), bare("")]],
    ["INTEGER", [bare("1"), quoted(""), bare("x'00'")]],
    ["TEXT", [bare("1"), quoted("2")]],
    ["TEXT", [quoted("x'00'")]],
    ["NUMERIC", [bare("1"), bare("1.5")]],
    ["REAL", [bare("1.0"), bare("1.5"), bare("-Infinity"), bare("1e+21"), bare("0.30000000000000004")]],
    // A number that would come back in another spelling stays a text.
    ...["1.10", "1E5", "1e5", "-0", "+1", "01.5", "1.", ".5", " 1", "9007199254740993.0", "9223372036854775808", "1e400"].map(
      (text): [ColumnType, Field[]] => ["TEXT", [bare("2"), bare(text)]],
    ),
    ["TEXT", [bare("1"), bare("1.0")]],
    ["TEXT", [bare("1"), bare("a")]],
    ["TEXT", [bare("1.5"), bare("007")]],
  ])("the type %s fits %j", (type, fields) => {
    const profile = new ColumnProfile({});
    for (const field of fields) profile.add(field, 1);
    expect(columnTypeFor(profile, "as written")).toBe(type);
  });

  test.each<[ColumnType, Field]>([
    ...(["TEXT", "BLOB"] as const).flatMap((type) => [
      [type, bare("007")] as [ColumnType, Field],
      [type, quoted("5")] as [ColumnType, Field],
    ]),
    ["INTEGER", bare("5")],
    ["INTEGER", bare("1.5")],
    ["INTEGER", bare("9223372036854775807")],
    ["INTEGER", bare("x'35'")],
    ["REAL", bare("1e+21")],
    ...["", "abc", "e5", "1e", "1.5.5", "--5", "0x10", " ", "1 2", "x1", "1x", "Infinity"].flatMap((text): [ColumnType, Field][] => [
      ["INTEGER", bare(text)],
      ["REAL", quoted(text)],
    ]),
  ])("a column of type %s keeps %j", (type, field) => {
    expect(keeps(type, field)).toBe(true);
  });

  test.each<[ColumnType, Field]>([
    ["INTEGER", quoted("5")],
    ["REAL", bare("5")],
    ["NUMERIC", bare("5.0")],
    ["REAL", quoted("1.5")],
    ["REAL", bare("9223372036854775807")],
    ["INTEGER", bare("9223372036854775808")],
    ...["007", " 12", "12\n", "+5", ".5", "5.", "-.5", "1e400", "1.e5", "01e+5", "01e-5", "-007"].flatMap((text): [ColumnType, Field][] => [
      ["INTEGER", bare(text)],
      ["REAL", bare(text)],
    ]),
  ])("a column of type %s changes %j", (type, field) => {
    expect(keeps(type, field)).toBe(false);
  });
});
