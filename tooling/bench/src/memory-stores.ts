// Figures of a memory with 100,000 entities in SQLite and in Postgres, in one run: node src/memory-stores.ts postgres://…
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Graph } from "../../../servers/memory/src/graph/graph.ts";
import { Memory } from "../../../servers/memory/src/graph/memory.ts";
import { postgresLocationOf } from "../../../servers/memory/src/postgres-location.ts";
import { PostgresGraph } from "../../../servers/memory/src/addons/postgres/postgres-graph.ts";
import { openNodes } from "../../../servers/memory/src/graph/read/open-nodes.ts";
import { searchNodes } from "../../../servers/memory/src/graph/search/search.ts";
import { createEntities, createRelations } from "../../../servers/memory/src/graph/write/creation.ts";
import { manyEntities } from "../../../servers/memory/test/support/graphs.ts";

const ENTITIES = 100_000;
const PER_CALL = 10_000;
const ROUNDS = 100;
const MAX_BYTES = 100_000;

type Measured = readonly [what: string, milliseconds: number];

async function elapsed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

/** The median of many rounds. */
async function median(action: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await elapsed(() => action(round)));
  return times.sort((a, b) => a - b)[ROUNDS / 2] ?? 0;
}

async function fill(graph: Graph): Promise<void> {
  const { entities, relations } = manyEntities(ENTITIES);
  for (let from = 0; from < ENTITIES; from += PER_CALL) {
    await graph.writeInSlices("bench", (rows, call) => createEntities(rows, call, entities.slice(from, from + PER_CALL)));
    await graph.writeInSlices("bench", (rows, call) => createRelations(rows, call, relations.slice(from, from + PER_CALL), false));
  }
}

const search = (graph: Graph, query: string): Promise<unknown> =>
  graph.read((rows) => searchNodes(rows, { query, detail: "full", maxBytes: MAX_BYTES }));

async function measure(open: () => Graph): Promise<Measured[]> {
  const filled = open();
  const filling = await elapsed(() => fill(filled));
  await filled.close();
  const graph = open();
  const starting = await elapsed(() => graph.read((rows) => rows.totals()));
  const create = (round: number): Promise<unknown> =>
    graph.writeInSlices("bench", (rows, call) =>
      createEntities(rows, call, [{ name: `new ${round}`, entityType: "t", observations: ["x"] }]),
    );
  const open25 = (round: number): Promise<unknown> => {
    const names = Array.from({ length: 25 }, (_, at) => `Entity ${(round * 631 + at * 37) % ENTITIES}`);
    return graph.read((rows) => openNodes(rows, { names, detail: "full", maxBytes: MAX_BYTES }));
  };
  const results: Measured[] = [
    ["fill, in calls of 10,000", filling],
    ["first read after the start", starting],
    ["create one entity", await median(create)],
    ["open 25 entities", await median(open25)],
    ["search: one text", await median((round) => search(graph, `fact ${round * 977} about`))],
    ["search: a frequent word", await median(() => search(graph, "juniper"))],
    ["search: two words", await median(() => search(graph, "juniper lagoon"))],
    ["search: nothing", await median(() => search(graph, "xyzzyx"))],
    ["search: another form", await median(() => search(graph, "harbours"))],
    ["search: a misspelled word", await median(() => search(graph, "junper"))],
    ["search: a question", await median((round) => search(graph, `what does Entity ${round * 977} like?`))],
  ];
  await graph.close();
  return results;
}

const [address = ""] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "oarlock-bench-"));
try {
  const sqlite = await measure(() => new Memory({ location: { database: join(folder, "m.db") } }));
  const location = postgresLocationOf(`${address}?schema=bench_${process.pid}`);
  const postgres = await measure(() => new PostgresGraph({ location }));
  for (const [index, [what, milliseconds]] of sqlite.entries())
    process.stdout.write(
      `${what.padEnd(30)}${milliseconds.toFixed(2).padStart(12)} ms${(postgres[index]?.[1] ?? 0).toFixed(2).padStart(12)} ms\n`,
    );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
