// add_observations.
import { differs, same, type Row } from "../row.ts";
import { add, create, HOUSE, READ } from "./graphs.ts";
import { entity, jsonl } from "../../support/graphs.ts";

export const adding: readonly Row[] = [
  same("one", HOUSE, add("Bo", "sings"), READ),
  same("several, one of which is there", HOUSE, add("Bo", "sings", "likes coffee", "dances"), READ),
  same("one that differs in case", HOUSE, add("Bo", "Likes coffee"), READ),
  same("none", HOUSE, add("Bo"), READ),
  same("an empty one", HOUSE, add("Bo", ""), READ),
  same(
    "to several entities",
    HOUSE,
    [
      "add_observations",
      {
        observations: [
          { entityName: "Bo", contents: ["x"] },
          { entityName: "rowing", contents: ["y", "z"] },
        ],
      },
    ],
    READ,
  ),
  same(
    "to one entity in two parts",
    HOUSE,
    [
      "add_observations",
      {
        observations: [
          { entityName: "Bo", contents: ["x"] },
          { entityName: "Bo", contents: ["y", "x"] },
        ],
      },
    ],
    READ,
  ),
  same("no parts", HOUSE, ["add_observations", { observations: [] }], READ),
  same("to an entity that was just made", "", create(entity("a", "t")), add("a", "x"), add("a", "y", "x"), READ),
  differs("the same twice in one call", jsonl([entity("a", "t")]), add("a", "x", "x"), {
    by: "duplicates",
    ours: [{ entityName: "a", addedObservations: ["x"] }],
    refusing: "none",
    leaves: '{"type":"entity","name":"a","entityType":"t","observations":["x"]}',
  }),
  differs("to an entity that is not there", HOUSE, add("Absent", "x"), {
    by: "errors",
    ours: /^Entity with name Absent not found\b.*createMissing/,
    refusing: "both",
  }),
  differs(
    "to one that is there and one that is not: nothing is done",
    HOUSE,
    [
      "add_observations",
      {
        observations: [
          { entityName: "Bo", contents: ["x"] },
          { entityName: "Absent", contents: ["y"] },
        ],
      },
    ],
    { by: "errors", ours: /^Entity with name Absent not found/, refusing: "both" },
  ),
  differs("contents that are a text", HOUSE, ["add_observations", { observations: [{ entityName: "Bo", contents: "x" }] }], {
    by: "errors",
    ours: /contents/,
    refusing: "both",
  }),
];
