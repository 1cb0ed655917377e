// Graphs and calls that several rows of the comparison use.
import type { Json } from "@oarlock/server-kit/protocol";
import { entity, jsonl, relation } from "../../support/graphs.ts";
import type { Call } from "../row.ts";

export const READ: Call = ["read_graph", {}];
export const create = (...entities: Json[]): Call => ["create_entities", { entities }];
export const relate = (...relations: Json[]): Call => ["create_relations", { relations }];
export const add = (entityName: string, ...contents: string[]): Call => ["add_observations", { observations: [{ entityName, contents }] }];
export const open = (...names: string[]): Call => ["open_nodes", { names }];
export const search = (query: string): Call => ["search_nodes", { query }];

/** A small household. */
export const HOUSE = jsonl(
  [
    entity("Ana Martins", "person", "likes green tea", "Born in Porto", "works at the Harbour Office"),
    entity("Bo", "person", "likes coffee", "is Ana's brother"),
    entity("Harbour Office", "organisation", "opens at 9", "employs 12 people"),
    entity("rowing", "hobby", "needs a boat; costs 50% of a salary"),
    entity("Tea_Club", "club"),
    entity("日本茶", "飲み物", "京都の緑茶", "温度は70度"),
    entity("Zoë Ångström", "Person", "Straße 12", "ÉCOLE"),
  ],
  [
    relation("Ana Martins", "works_at", "Harbour Office"),
    relation("Bo", "brother_of", "Ana Martins"),
    relation("Ana Martins", "does", "rowing"),
    relation("Bo", "knows", "only in relations"),
    relation("Tea_Club", "meets_in", "Harbour Office"),
  ],
);
