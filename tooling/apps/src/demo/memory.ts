// Demo of the memory server: people, companies and boats.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ServerDemo } from "./server-demo.ts";

const ENTITIES = [
  { name: "Ilse Marten", entityType: "person", observations: ["works at Quay & Sons", "wants a red hull"] },
  { name: "Jan Quay", entityType: "person", observations: ["owns the slipway"] },
  { name: "Quay & Sons", entityType: "company", observations: ["rents out the slipway", "founded 1921"] },
  { name: "Kittiwake", entityType: "boat", observations: ["planked in oak", "launch in May"] },
  { name: "Petrel", entityType: "boat", observations: ["waits for a mast"] },
  { name: "Pier head", entityType: "place", observations: ["has the tide gauge"] },
];

const RELATIONS = [
  { from: "Ilse Marten", to: "Quay & Sons", relationType: "works_at" },
  { from: "Jan Quay", to: "Quay & Sons", relationType: "owns" },
  { from: "Quay & Sons", to: "Kittiwake", relationType: "keeps" },
  { from: "Quay & Sons", to: "Petrel", relationType: "keeps" },
  { from: "Kittiwake", to: "Pier head", relationType: "lies_at" },
];

export const memory: ServerDemo = {
  server: "memory",
  async prepare(folder) {
    const file = join(folder, "memory.jsonl");
    const lines = [
      ...ENTITIES.map((entity) => ({ type: "entity", ...entity })),
      ...RELATIONS.map((relation) => ({ type: "relation", ...relation })),
    ];
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    return { args: ["--db", file], views: [] };
  },
};
