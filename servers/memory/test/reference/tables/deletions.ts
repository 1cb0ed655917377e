// delete_entities, delete_observations and delete_relations.
import { entity, jsonl, relation } from "../../support/graphs.ts";
import { differs, same, type Call, type Row } from "../row.ts";
import { create, HOUSE, READ } from "./graphs.ts";

const entities = (...entityNames: string[]): Call => ["delete_entities", { entityNames }];
const observations = (entityName: string, ...texts: string[]): Call => [
  "delete_observations",
  { deletions: [{ entityName, observations: texts }] },
];
const relations = (...all: object[]): Call => ["delete_relations", { relations: all }];

const MANY = jsonl(Array.from({ length: 120 }, (_, at) => entity(`e${at}`, "t")));

export const deleting: readonly Row[] = [
  same("an entity and the relations at both its ends", HOUSE, entities("Ana Martins"), READ),
  same("several, one of which is not there", HOUSE, entities("Bo", "Absent", "rowing"), READ),
  same("the same twice", HOUSE, entities("Bo", "Bo"), entities("Bo"), READ),
  same("none", HOUSE, entities(), READ),
  same("one that is not there", HOUSE, entities("Absent"), READ),
  same("the relations of a name without an entity", HOUSE, entities("only in relations"), READ),
  same("by another case", HOUSE, entities("bo"), READ),
  same("and made again: at the end of the list", HOUSE, entities("Bo"), create(entity("Bo", "person", "is back")), READ),
  same("everything", HOUSE, entities("Ana Martins", "Bo", "Harbour Office", "rowing", "Tea_Club", "日本茶", "Zoë Ångström"), READ),
  same("an observation", HOUSE, observations("Bo", "likes coffee"), READ),
  same("all observations", HOUSE, observations("Bo", "likes coffee", "is Ana's brother"), READ),
  same("an observation that is not there", HOUSE, observations("Bo", "likes tea"), READ),
  same("an observation of an entity that is not there", HOUSE, observations("Absent", "x"), READ),
  same("an observation by another case", HOUSE, observations("Bo", "LIKES COFFEE"), READ),
  same(
    "an observation, and added again: at the end",
    HOUSE,
    observations("Bo", "likes coffee"),
    ["add_observations", { observations: [{ entityName: "Bo", contents: ["likes coffee"] }] }],
    READ,
  ),
  same("no observations", HOUSE, observations("Bo"), READ),
  same("a relation", HOUSE, relations(relation("Bo", "brother_of", "Ana Martins")), READ),
  same("a relation with another type", HOUSE, relations(relation("Bo", "sister_of", "Ana Martins")), READ),
  same("a relation the other way round", HOUSE, relations(relation("Ana Martins", "brother_of", "Bo")), READ),
  same(
    "several relations",
    HOUSE,
    relations(relation("Bo", "brother_of", "Ana Martins"), relation("x", "y", "z"), relation("Ana Martins", "does", "rowing")),
    READ,
  ),
  same("100 entities at once", MANY, entities(...Array.from({ length: 100 }, (_, at) => `e${at}`)), READ),
  differs("101 entities at once", MANY, entities(...Array.from({ length: 101 }, (_, at) => `e${at}`)), {
    by: "questions",
    ours: /--allow-purge/,
    refusing: "ours",
    leaves: MANY.trimEnd(),
  }),
  differs("no arguments", HOUSE, ["delete_entities", {}], { by: "errors", ours: /entityNames/, refusing: "both" }),
  differs("a name instead of names", HOUSE, ["delete_entities", { entityNames: "Bo" }], {
    by: "errors",
    ours: /entityNames/,
    refusing: "both",
  }),
];
