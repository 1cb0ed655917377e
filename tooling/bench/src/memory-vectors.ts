// Figures of a memory with 100,000 entities, without and with embeddings: node src/memory-vectors.ts [ENTITIES]. The endpoint
// is a process of its own with the embedding of the tests, so the time of a model is not in the figures.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { configurationOf, type EmbeddingsConfiguration } from "../../../servers/memory/src/configured-embeddings.ts";
import { vectorsPathOf } from "../../../servers/memory/src/graph/location.ts";
import { semanticIndexOf } from "../../../servers/memory/src/open-graph.ts";
import { Memory } from "../../../servers/memory/src/graph/memory.ts";
import { searchNodes } from "../../../servers/memory/src/graph/search/search.ts";
import { createEntities, createRelations } from "../../../servers/memory/src/graph/write/creation.ts";
import { manyEntities } from "../../../servers/memory/test/support/graphs.ts";

const PER_CALL = 10_000;
const ROUNDS = 60;
const MAX_BYTES = 100_000;
const MOST = 30;
const QUERY_WORDS = ["beverage", "water", "plant", "harbour town", "colour", "fact about a lake", "tree", "fire", "coast", "number"];

type Figure = readonly [what: string, value: string];

const ms = (value: number): string => `${value.toFixed(value < 100 ? 2 : 0)} ms`;
/** With the write-ahead log, which a server leaves in place. */
const megabytes = (path: string): string =>
  `${([path, `${path}-wal`].reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0) / 1e6).toFixed(1)} MB`;

async function elapsed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

/** The median of many rounds. */
async function median(action: (round: number) => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await elapsed(() => action(round)));
  return ms(times.sort((a, b) => a - b)[ROUNDS / 2] ?? 0);
}

const open = (database: string, embeddings: EmbeddingsConfiguration | undefined): Memory =>
  new Memory({
    location: { database },
    semanticIndex: semanticIndexOf(embeddings),
    warn: (message) => void process.stderr.write(`${message}\n`),
  });

async function untilEmbedded(memory: Memory): Promise<void> {
  for (;;) {
    const { remark } = await memory.findByMeaning("beverage", MOST);
    if (remark === undefined) return;
    process.stderr.write(`${remark}\n`);
    await wait(5000);
  }
}

async function measure(folder: string, count: number, configuration: EmbeddingsConfiguration | undefined): Promise<Figure[]> {
  const database = join(folder, configuration === undefined ? "words.db" : "vectors.db");
  const { entities, relations } = manyEntities(count);
  const filled = open(database, configuration);
  const filling = await elapsed(async () => {
    for (let from = 0; from < count; from += PER_CALL) {
      await filled.writeInSlices("bench", (rows, call) => createEntities(rows, call, entities.slice(from, from + PER_CALL)));
      await filled.writeInSlices("bench", (rows, call) => createRelations(rows, call, relations.slice(from, from + PER_CALL), false));
    }
  });
  const embedding = configuration === undefined ? 0 : await elapsed(() => untilEmbedded(filled));
  await filled.close();

  const memory = open(database, configuration);
  const starting = await elapsed(() => memory.read((rows) => rows.totals()));
  const create = (round: number): Promise<unknown> =>
    memory.writeInSlices("bench", (rows, call) =>
      createEntities(rows, call, [{ name: `new ${round}`, entityType: "t", observations: ["x"] }]),
    );
  const search = (query: string): Promise<unknown> =>
    memory.read((rows) => searchNodes(rows, { query, detail: "full", maxBytes: MAX_BYTES }));
  const figures: Figure[] = [
    ["fill, in calls of 10,000", ms(filling)],
    ["embed all texts afterwards", ms(embedding)],
    ["first read after the start", ms(starting)],
    ["create one entity", await median(create)],
    ["search by words: one text", await median((round) => search(`fact ${round * 977} about`))],
    ["search by words: two words", await median(() => search("juniper lagoon"))],
    [
      "search by meaning, new query",
      configuration === undefined
        ? ""
        : await median((round) => memory.findByMeaning(`${QUERY_WORDS[round % QUERY_WORDS.length]} ${round}`, MOST)),
    ],
    ["search by meaning, known query", configuration === undefined ? "" : await median(() => memory.findByMeaning("beverage", MOST))],
  ];
  await memory.close();
  return [...figures, ["file of the graph", megabytes(database)], ["file of the vectors", megabytes(vectorsPathOf(database))]];
}

const [count = "100000"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "oarlock-bench-"));
const endpoint = spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, "embeddings-endpoint.ts")], {
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const [address] = (await once(endpoint.stdout, "data")) as [Buffer];
  const configuration = configurationOf({ embeddings: address.toString().trim(), model: "test" });
  const words = await measure(folder, Number(count), undefined);
  const vectors = await measure(folder, Number(count), configuration);
  for (const [at, [what, value]] of words.entries())
    process.stdout.write(`${what.padEnd(32)}${value.padStart(14)}${(vectors[at]?.[1] ?? "").padStart(14)}\n`);
} finally {
  endpoint.kill();
  rmSync(folder, { recursive: true, force: true });
}
