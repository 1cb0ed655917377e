// Demo of the memory server: people, companies and boats.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connectTo, nodeCommand } from "@oarlock/testing";
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

const SERVER = new URL("../../../../servers/memory/dist/bin.js", import.meta.url);

/** Facts that superseded others, which only the server can record. */
async function changeFacts(args: readonly string[]): Promise<void> {
  await using writer = await connectTo(nodeCommand(SERVER, args));
  const changes = [
    { entityName: "Kittiwake", contents: ["launch in June"], supersedes: ["launch in May"] },
    { entityName: "Ilse Marten", contents: ["wants a green hull"], supersedes: ["wants a red hull"] },
  ];
  await writer.client.call("add_observations", { observations: changes });
}

export const memory: ServerDemo = {
  server: "memory",
  async prepare(folder) {
    const file = join(folder, "memory.jsonl");
    const lines = [
      ...ENTITIES.map((entity) => ({ type: "entity", ...entity })),
      ...RELATIONS.map((relation) => ({ type: "relation", ...relation })),
    ];
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const args = ["--db", file];
    await changeFacts(args);
    return { args, views: [{ view: "graph", title: "the knowledge graph", tool: "read_graph", args: {} }] };
  },
};
