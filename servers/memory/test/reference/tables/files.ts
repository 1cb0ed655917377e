// Files as other programs leave them.
import { entity, jsonl, relation } from "../../support/graphs.ts";
import { differs, same, type Row } from "../row.ts";
import { create, HOUSE, READ } from "./graphs.ts";

const A = entity("a", "t", "x");
const B = entity("b", "t");
const NEW = entity("new", "t");
const line = (record: object): string => JSON.stringify(record);
const added = '{"type":"entity","name":"new","entityType":"t","observations":[]}';
const text = (...lines: string[]): string => lines.join("\n");

export const files: readonly Row[] = [
  same("without a last newline", HOUSE.trimEnd(), READ, create(NEW), READ),
  same("blank lines", HOUSE.replaceAll("\n", "\n\n  \n"), READ, create(NEW), READ),
  same("CRLF", HOUSE.replaceAll("\n", "\r\n"), READ, create(NEW), READ),
  same(
    "blanks in the records",
    text('{ "type": "entity", "name": "a", "entityType": "t", "observations": [ "x" ] }'),
    READ,
    create(NEW),
    READ,
  ),
  same("members in another order", text('{"observations":["x"],"entityType":"t","name":"a","type":"entity"}'), READ, create(NEW), READ),
  same(
    "escaped characters",
    text('{"type":"entity","name":"\\u0061\\/","entityType":"\\ud83d\\ude00","observations":["\\n"]}'),
    READ,
    create(NEW),
    READ,
  ),
  same(
    "empty types",
    text('{"type":"entity","name":"a","entityType":"","observations":[""]}', '{"type":"relation","from":"a","to":"a","relationType":""}'),
    READ,
    create(NEW),
    READ,
  ),
  same("relations before entities", jsonl([], [relation("a", "r", "b")]) + jsonl([A, B]), READ, create(NEW), READ),
  differs("a torn last line", `${jsonl([A])}{"type":"ent`, create(NEW), {
    by: "damaged-lines",
    ours: [NEW],
    refusing: "the other",
    leaves: text(line({ type: "entity", ...A }), added),
  }),
  differs("two records on one line", line({ type: "entity", ...A }) + line({ type: "entity", ...B }), create(NEW), {
    by: "damaged-lines",
    ours: [NEW],
    refusing: "the other",
    leaves: text(line({ type: "entity", ...A }), line({ type: "entity", ...B }), added),
  }),
  differs("a byte order mark", `\ufeff${jsonl([A])}`, create(NEW), {
    by: "damaged-lines",
    ours: [NEW],
    refusing: "the other",
    leaves: text(line({ type: "entity", ...A }), added),
  }),
  differs("unknown fields", text(line({ type: "entity", ...A, color: "red" })), create(NEW), {
    by: "whole-records",
    ours: [NEW],
    refusing: "none",
    leaves: text(line({ type: "entity", ...A, color: "red" }), added),
  }),
];
