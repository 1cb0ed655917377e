// read_graph and open_nodes.
import { entity, jsonl, relation } from "../../support/graphs.ts";
import { differs, same, type Row } from "../row.ts";
import { HOUSE, open, READ } from "./graphs.ts";

/** Too large for one reply. */
const LARGE = jsonl(Array.from({ length: 400 }, (_, at) => entity(`e${at}`, "t", `${at} `.repeat(500).slice(0, 1000))));

export const reading: readonly Row[] = [
  same("nothing", "", READ),
  same("a graph", HOUSE, READ, READ),
  same("a graph of relations only", jsonl([], [relation("a", "r", "b")]), READ),
  same("an unknown argument", HOUSE, ["read_graph", { nonsense: 1 }]),
  same("one node with the relations at both its ends", HOUSE, open("Ana Martins")),
  same("several nodes, in the order of the graph", HOUSE, open("rowing", "Bo")),
  same("the same node twice", HOUSE, open("Bo", "Bo")),
  same("nodes that are not there", HOUSE, open("Absent", "Bo", "absent too")),
  same("only nodes that are not there", HOUSE, open("Absent")),
  same("a name that only relations have", HOUSE, open("only in relations")),
  same("no nodes", HOUSE, open()),
  same("an empty name", HOUSE, open("")),
  same("a node by another case", HOUSE, open("bo")),
  same("a node in an empty graph", "", open("a")),
  same(
    "names that mean something elsewhere",
    jsonl([entity("__proto__", "constructor", "toString")]),
    open("__proto__"),
    open("constructor"),
    READ,
  ),
  differs("more than fits into a reply", LARGE, READ, { by: "bounds", ours: /Truncated.*cursor/s, refusing: "none" }),
  differs("no names", HOUSE, ["open_nodes", {}], { by: "errors", ours: /names/, refusing: "both" }),
  differs("a name that is a number", HOUSE, ["open_nodes", { names: [7] }], { by: "errors", ours: /names/, refusing: "both" }),
];
