// create_entities and create_relations.
import { entity, relation } from "../../support/graphs.ts";
import { differs, same, type Row } from "../row.ts";
import { create, HOUSE, READ, relate } from "./graphs.ts";

const A = entity("a", "t", "one");

export const creating: readonly Row[] = [
  same("one entity", "", create(A), READ),
  same("several", "", create(A, entity("b", "u"), entity("c", "t", "x", "y")), READ),
  same("none", "", create(), READ),
  same("none in a graph", HOUSE, create(), READ),
  same("into a graph", HOUSE, create(A), READ),
  same("a name that is there: the first stays", HOUSE, create(entity("Bo", "cat", "purrs"), A), READ),
  same(
    "names that differ in case, blanks and accents are others",
    HOUSE,
    create(entity("bo", "t"), entity("Bo ", "t"), entity("Bó", "t")),
    READ,
  ),
  same("no observations", "", create(entity("a", "t")), READ),
  same("an empty type", "", create(entity("a", "")), READ),
  same("an empty observation", "", create(entity("a", "t", "")), READ),
  same("odd text", "", create(entity("a\nb", "t\t", 'quo"te', "back\\slash", "nul\0", "😀")), READ),
  differs("directional marks", "", create(entity("a\u2028b", "t", "\u202e")), {
    by: "escapes",
    ours: [entity("a\u2028b", "t", "\u202e")],
    refusing: "none",
  }),
  same("unknown members are not kept", "", create({ ...A, color: "red" }), READ),
  same("an unknown argument", "", ["create_entities", { entities: [A], nonsense: true }], READ),
  same("one relation", HOUSE, relate(relation("Bo", "likes", "rowing")), READ),
  same("a relation that is there", HOUSE, relate(relation("Bo", "brother_of", "Ana Martins")), READ),
  same(
    "one that is there and one that is not",
    HOUSE,
    relate(relation("Bo", "brother_of", "Ana Martins"), relation("Bo", "likes", "tea")),
    READ,
  ),
  same(
    "the same ends with another type, and the other way round",
    HOUSE,
    relate(relation("Bo", "hears", "Ana Martins"), relation("Ana Martins", "brother_of", "Bo")),
    READ,
  ),
  same("a relation between what is not there", "", relate(relation("x", "r", "y")), READ),
  same("a relation to itself", HOUSE, relate(relation("Bo", "is", "Bo")), READ),
  same("an empty type of relation", "", relate(relation("x", "", "y")), READ),
  same("no relation", "", relate(), READ),
  same(
    "entities and then relations",
    "",
    create(A, entity("b", "t")),
    relate(relation("a", "r", "b")),
    create(entity("c", "t")),
    relate(relation("c", "r", "a")),
    READ,
  ),
  differs("the same name twice in one call", "", create(A, entity("a", "other", "two")), {
    by: "duplicates",
    ours: [A],
    refusing: "none",
    leaves: '{"type":"entity","name":"a","entityType":"t","observations":["one"]}',
  }),
  differs("the same relation twice in one call", "", relate(relation("x", "r", "y"), relation("x", "r", "y")), {
    by: "duplicates",
    ours: [relation("x", "r", "y")],
    refusing: "none",
    leaves: '{"type":"relation","from":"x","to":"y","relationType":"r"}',
  }),
  differs("the same observation twice in one entity", "", create(entity("a", "t", "x", "x")), {
    by: "duplicates",
    ours: [entity("a", "t", "x")],
    refusing: "none",
    leaves: '{"type":"entity","name":"a","entityType":"t","observations":["x"]}',
  }),
  differs("an empty name", "", create(entity("", "t")), { by: "empty-names", ours: /empty/, refusing: "ours", leaves: "" }),
  differs("a name of blanks", "", create(entity(" \t", "t")), { by: "empty-names", ours: /blank/, refusing: "ours", leaves: "" }),
  differs("an empty end", "", relate(relation("", "r", "y")), { by: "empty-names", ours: /empty/, refusing: "ours", leaves: "" }),
  differs("half a surrogate pair", "", create(entity("a\ud800", "t")), {
    by: "surrogates",
    ours: /surrogate/,
    refusing: "ours",
    leaves: "",
  }),
  differs("no arguments", "", ["create_entities", {}], {
    by: "errors",
    ours: /^Invalid arguments for create_entities:\nentities: /,
    refusing: "both",
  }),
  differs("entities that are not a list", "", ["create_entities", { entities: A }], { by: "errors", ours: /entities: /, refusing: "both" }),
  differs("a name that is a number", "", create({ ...A, name: 5 }), { by: "errors", ours: /entities/, refusing: "both" }),
  differs("no observations at all", "", create({ name: "a", entityType: "t" }), { by: "errors", ours: /observations/, refusing: "both" }),
  differs("a relation without a type", "", relate({ from: "a", to: "b" }), { by: "errors", ours: /relationType/, refusing: "both" }),
];
