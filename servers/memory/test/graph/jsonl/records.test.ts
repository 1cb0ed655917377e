// Records of a JSONL file: what a line is read as.
import { expect, test } from "vitest";
import { formatEntity, parseLine, splitFusedRecords } from "../../../src/graph/jsonl/records.ts";
import { entity, relation } from "../../support/graphs.ts";

const line = (fields: object): string => JSON.stringify(fields);
const fieldsOf = (name: unknown, entityType: unknown, observations: unknown): object => ({
  type: "entity",
  name,
  entityType,
  observations,
});
const ends = (from: unknown, to: unknown, relationType: unknown): object => ({ type: "relation", from, to, relationType });

test.each([
  ["{", "not JSON", true],
  ['{"type":"entity","name":"a"', "not JSON", true],
  ["null", "not a record", true],
  ["x", "not JSON", true],
  [`{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`, "nested too deeply", false],
  ["[]", "not a record", true],
  ["7", "not a record", true],
  [line(fieldsOf(7, "t", [])), "name is not a text", false],
  [line(fieldsOf("", "t", [])), "name is not a text", false],
  ['{"type":"entity","name":"\\ud800","entityType":"t"}', "name is not a text", false],
  [line(fieldsOf("a", undefined, [])), "entityType is not a text", false],
  [line(fieldsOf("a", "t", "o")), "observations are not a list of texts", false],
  [line(fieldsOf("a", "t", ["o", 7])), "observations are not a list of texts", false],
  [line(ends("a", 7, "r")), "from and to are not names", false],
  [line(ends(7, "b", "r")), "from and to are not names", false],
  [line(ends("", "b", "r")), "from and to are not names", false],
  [line(ends("a", "", "r")), "from and to are not names", false],
  [line(ends("a", "b", null)), "relationType is not a text", false],
])("takes the line %s for damaged", (text, reason, mayBeIncomplete) => {
  expect(parseLine(text)).toEqual({ kind: "damaged", reason, mayBeIncomplete });
});

test("accepts an entity without observations and with an empty type", () => {
  expect(parseLine('{"type":"entity","name":"a","entityType":""}')).toEqual({ kind: "entity", entity: entity("a", ""), extra: undefined });
});

test.each(["12345678901234567890", "1.0", "-0", "1e400", "7"])("keeps the number %s of an unknown field as it was written", (number) => {
  const text = `{"type":"entity","name":"a","entityType":"t","observations":[],"n":${number}}`;
  const parsed = parseLine(text);
  expect(parsed).toMatchObject({ kind: "entity", extra: `{"n":${number}}` });
  expect(formatEntity(entity("a", "t"), `{"n":${number}}`)).toBe(text);
});

test("formats a record without unknown fields", () => {
  expect(formatEntity(entity("a", "t"), null)).toBe(formatEntity(entity("a", "t")));
});

test.each(['{"type":"note"}', "{}", '{ "type" : "Entity" }'])("takes the object %s for a record of another program", (text) => {
  expect(parseLine(text)).toEqual({ kind: "record", line: text });
});

test.each([
  ["two records", [entity("a", "t"), relation("a", "r", "b")]],
  ["three records", [entity("a", "t"), entity("b", "t"), entity("c", "t")]],
  ["records with }{ in their texts", [entity("a}{", "t", "}{"), entity("b", "t", "{}{}")]],
])("%s on one line are split", (_what, items) => {
  const text = items.map((item) => line({ type: "from" in item ? "relation" : "entity", ...item })).join("");
  expect(splitFusedRecords(text)?.map((record) => ("entity" in record ? record.entity : "relation" in record && record.relation))).toEqual(
    items,
  );
});

test.each(['{"type":"note"}', "{}{", '{"a":1}{"b":2}{x', '{"a":1}{"b":2}x', '{"a":1}}{', "{}x{}"])("does not split the line %s", (text) => {
  expect(splitFusedRecords(text)).toBeUndefined();
});

test.each(["", '"', '{"a":"', '{"type":"entity","name":"'])("a long line of brackets after %j costs no more than its length", (start) => {
  // With a parse for each pair of brackets, this took minutes.
  expect(splitFusedRecords(start + "}{".repeat(500_000))).toBeUndefined();
});
