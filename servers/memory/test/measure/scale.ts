// Figures of a memory with 100,000 entities: `node --conditions=oarlock-source test/measure/scale.ts [--entities N] [--postgres URL] [--embeddings]`
// puts SQLite beside Postgres or beside embeddings. Those come from a process of its own with the embedding of the tests (`--endpoint`), so that the
// time of a model is not in the figures.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { markdownTable } from "@oarlock-tooling/test-support/markdown-table";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { PostgresGraph } from "../../src/addons/postgres/postgres-graph.ts";
import { configurationOf } from "../../src/configured-embeddings.ts";
import type { Graph } from "../../src/graph/graph.ts";
import { vectorsPathOf } from "../../src/graph/location.ts";
import { Memory } from "../../src/graph/memory.ts";
import { openNodes } from "../../src/graph/read/open-nodes.ts";
import { searchNodes } from "../../src/graph/search/search.ts";
import { createEntities } from "../../src/graph/write/creation.ts";
import { createRelations } from "../../src/graph/write/relation-creation.ts";
import { semanticIndexOf } from "../../src/open-graph.ts";
import { postgresLocationOf } from "../../src/postgres-location.ts";
import { EmbeddingsServer } from "../addons/embeddings/support/embeddings-server.ts";
import { manyEntities } from "../support/graphs.ts";

const PER_CALL = 10_000;
const ROUNDS = 60;
const MAX_BYTES = 100_000;
const MOST = 30;
const QUERY_WORDS = ["beverage", "water", "plant", "harbour town", "colour", "fact about a lake", "tree", "fire", "coast", "number"];

interface Store {
  readonly name: string;
  open(): Graph;
  /** Files on the disk, the write-ahead log included. */
  readonly files: readonly string[];
}

async function elapsed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

async function medianOf(action: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await elapsed(() => action(round)));
  return times.toSorted((a, b) => a - b)[ROUNDS / 2] ?? NaN;
}

async function fill(graph: Graph, count: number): Promise<void> {
  const { entities, relations } = manyEntities(count);
  for (let from = 0; from < count; from += PER_CALL) {
    await graph.writeInSlices("bench", (rows, call) => createEntities(rows, call, entities.slice(from, from + PER_CALL)));
    await graph.writeInSlices("bench", (rows, call) => createRelations(rows, call, relations.slice(from, from + PER_CALL), false));
  }
}

/** Replies have a remark as long as texts wait for their vectors. */
async function untilEmbedded(memory: Memory): Promise<void> {
  while ((await memory.findByMeaning("beverage", MOST)).remark !== undefined) await wait(5000);
}

async function measure({ open, files }: Store, count: number, hasVectors: boolean): Promise<Map<string, number>> {
  const filled = open();
  const figures = new Map([["fill, in calls of 10,000", await elapsed(() => fill(filled, count))]]);
  if (hasVectors && filled instanceof Memory) figures.set("embed all texts afterwards", await elapsed(() => untilEmbedded(filled)));
  await filled.close();
  const graph = open();
  figures.set("first read after the start", await elapsed(() => graph.read((rows) => rows.totals())));
  const entity = (round: number) => ({ name: `new ${round}`, entityType: "t", observations: ["x"] });
  const create = (round: number) => graph.writeInSlices("bench", (rows, call) => createEntities(rows, call, [entity(round)]));
  const namesAt = (round: number) => Array.from({ length: 25 }, (_, at) => `Entity ${(round * 631 + at * 37) % count}`);
  const open25 = (round: number) => graph.read((rows) => openNodes(rows, { names: namesAt(round), detail: "full", maxBytes: MAX_BYTES }));
  figures.set("create one entity", await medianOf(create));
  figures.set("open 25 entities", await medianOf(open25));
  const queries: Readonly<Record<string, (round: number) => string>> = {
    "one text": (round) => `fact ${round * 977} about`,
    "a frequent word": () => "juniper",
    "two words": () => "juniper lagoon",
    nothing: () => "xyzzyx",
    "another form": () => "harbours",
    "a misspelled word": () => "junper",
    "a question": (round) => `what does Entity ${round * 977} like?`,
  };
  const search = (query: string) => graph.read((rows) => searchNodes(rows, { query, detail: "full", maxBytes: MAX_BYTES }));
  for (const [what, query] of Object.entries(queries)) figures.set(`search: ${what}`, await medianOf((round) => search(query(round))));
  if (hasVectors && graph instanceof Memory) {
    const newQuery = (round: number): string => `${QUERY_WORDS[round % QUERY_WORDS.length]} ${round}`;
    figures.set("search by meaning, new query", await medianOf((round) => graph.findByMeaning(newQuery(round), MOST)));
    figures.set("search by meaning, known query", await medianOf(() => graph.findByMeaning("beverage", MOST)));
  }
  await graph.close();
  const sizes = files.flatMap((file) => [file, `${file}-wal`]).map((file) => (existsSync(file) ? statSync(file).size : 0));
  return figures.set("MB on the disk", sizes.reduce((sum, size) => sum + size, 0) / 1e6);
}

const { values } = parseArgs({
  options: {
    entities: { type: "string", default: "100000" },
    postgres: { type: "string" },
    embeddings: { type: "boolean", default: false },
    endpoint: { type: "boolean", default: false },
  },
});

async function run(folder: TempFolder, endpoint: string | undefined): Promise<void> {
  const sqlite = (name: string, address?: string): Store => {
    const database = folder.at(`${name}.db`);
    const semanticIndex = semanticIndexOf(address === undefined ? undefined : configurationOf({ embeddings: address, model: "test" }));
    return { name, files: [database, vectorsPathOf(database)], open: () => new Memory({ location: { database }, semanticIndex }) };
  };
  const stores = [sqlite("SQLite")];
  if (endpoint !== undefined) stores.push(sqlite("embeddings", endpoint));
  if (values.postgres !== undefined) {
    const location = postgresLocationOf(`${values.postgres}?schema=bench_${process.pid}`);
    stores.push({ name: "Postgres", files: [], open: () => new PostgresGraph({ location }) });
  }
  const measured: Map<string, number>[] = [];
  for (const store of stores) measured.push(await measure(store, Number(values.entities), store.name === "embeddings"));
  const names = [...new Set(measured.flatMap((figures) => [...figures.keys()]))];
  const rows = names.map((name) => [name, ...measured.map((figures) => (figures.get(name) ?? NaN).toPrecision(3))]);
  console.log(markdownTable(["milliseconds", ...stores.map(({ name }) => name)], rows, { numbers: true }));
}

/** Starts this program as the endpoint, and ends it after the work. */
async function withEndpoint(work: (address: string) => Promise<void>): Promise<void> {
  const args = [...process.execArgv, fileURLToPath(import.meta.url), "--endpoint"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [address] = (await once(child.stdout, "data")) as [Buffer]; // it prints its address
    await work(address.toString().trim());
  } finally {
    child.kill();
  }
}

if (values.endpoint) console.log((await new EmbeddingsServer().start(0)).address);
else {
  await using folder = tempFolder();
  await (values.embeddings ? withEndpoint((address) => run(folder, address)) : run(folder, undefined));
}
