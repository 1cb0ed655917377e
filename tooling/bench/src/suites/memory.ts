/** A knowledge graph of months: search, a new entity, the first page of all of it, all of it, and what it takes in memory. */
import { copyFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client, prepare } from "../client.ts";
import { median, type Figures } from "../figures.ts";
import type { Target } from "../target.ts";
import { graph, wordAt } from "../graphs.ts";
import { memory as memoryOf } from "../process.ts";
import { filled, inScratch, sleep, succeeded, textOf, type Suite } from "./suite.ts";

const SETTLED_MS = 3000;

const SIZES = [
  ["10k", 10_000],
  ["100k", 100_000],
] as const;

interface Query {
  figure: string;
  query(turn: number, size: number): string;
  /** Whether a first hit is right. */
  right(text: string, query: string): boolean;
  times: number;
}

const holds = (text: string, query: string): boolean => text.toLowerCase().includes(query.toLowerCase());

const QUERIES: readonly Query[] = [
  // Another one each time, as people ask: a number that one observation has, and its two words.
  { figure: "search for one", query: (turn, size) => `parcel ${(turn * 7919 + 13) % size} `, right: holds, times: 40 },
  { figure: "search for a name", query: (turn, size) => `#${(turn * 104_729 + 7) % size}.`, right: holds, times: 40 },
  { figure: "search for many", query: (turn) => wordAt(turn + 2), right: holds, times: 20 },
  { figure: "search in vain", query: (turn) => `nowhere${turn}`, right: (text) => !text.includes("entityType"), times: 20 },
];

/** What is measured at each size. */
const NAMES = ["first call", ...QUERIES.map(({ figure }) => figure), "create 1", "first page of read_graph", "read_graph"];

async function timed(client: Client, name: string, args: object): Promise<{ ms: number; text: string }> {
  const from = performance.now();
  const answer = await client.call("tools/call", { name, arguments: args });
  return { ms: performance.now() - from, text: textOf(succeeded(answer)) };
}

/**
 * The whole graph: one answer from servers that give it at once, from others page after page by cursor, with the longest pages they
 * have. The time until the answers are there, without what the client does with them.
 */
async function readWhole(client: Client, size: number): Promise<number> {
  let ms = 0;
  let entities = 0;
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const request = prepare("tools/call", { name: "read_graph", arguments: { limit: 10_000, ...(cursor !== undefined && { cursor }) } });
    const from = performance.now();
    await client.send(request);
    ms += performance.now() - from;
    const answer = succeeded(client.last());
    entities += textOf(answer).match(/"entityType"/g)?.length ?? 0;
    cursor = answer.result?.structuredContent?.nextCursor;
  }
  if (entities < size) throw new Error(`read_graph gave ${entities} entities`);
  return ms;
}

async function medianOf(times: number, counted: "all" | "without the first", work: (turn: number) => Promise<number>): Promise<number> {
  const taken: number[] = [];
  for (let turn = 0; turn < times; turn++) taken.push(await work(turn));
  return median(counted === "all" ? taken : taken.slice(1));
}

/** Into a graph that was empty: those who write the whole file each time pay for what is in it. */
const createMany = (target: Target, count: number): Promise<Figures> =>
  onGraph(target, undefined, async (client) => {
    const from = performance.now();
    for (let turn = 0; turn < count; turn++)
      succeeded(await client.call("tools/call", { name: "create_entities", arguments: { entities: [newcomer(turn)] } }));
    return { [`create ${count} one by one ms`]: performance.now() - from };
  });

/** Starts a server on a copy of a graph, or on an empty one; on the disk that the fixtures are on, as a temporary folder may be on none. */
const onGraph = <T>(target: Target, file: string | undefined, work: (client: Client) => Promise<T>): Promise<T> =>
  inScratch(
    async (folder) => {
      if (file === undefined) writeFileSync(join(folder, "memory.jsonl"), "");
      else copyFileSync(file, join(folder, "memory.jsonl"));
      return await Client.with(filled(target, folder), work);
    },
    dirname(graph(10_000)),
  );

const newcomer = (turn: number) => ({ name: `newcomer ${turn}`, entityType: "guest", observations: [`came as number ${turn}`] });

async function figuresOf(
  client: Client,
  label: string,
  size: number,
  quick: boolean,
  wanted: (figure: string) => boolean,
): Promise<Figures> {
  const figures: Figures = {};
  // What is read or taken over from a file at the first call is a figure of its own.
  figures[`first call at ${label} ms`] = (await timed(client, "open_nodes", { names: ["nobody"] })).ms;
  // Later work in the background, such as writing that file, is not part of the following figures.
  await sleep(SETTLED_MS);
  for (const { figure, query, right, times } of QUERIES) {
    if (!wanted(`${figure} at ${label} ms`)) continue;
    figures[`${figure} at ${label} ms`] = await medianOf(quick ? 3 : times, "without the first", async (turn) => {
      const asked = query(turn, size);
      const { ms, text } = await timed(client, "search_nodes", { query: asked });
      if (!right(text, asked)) throw new Error(`unexpected answer to ${asked}: ${text.slice(0, 200)}`);
      return ms;
    });
  }
  if (wanted(`read_graph at ${label} ms`))
    figures[`read_graph at ${label} ms`] = await medianOf(quick ? 1 : 3, "all", () => readWhole(client, size));
  figures[`create 1 at ${label} ms`] = await medianOf(quick ? 4 : 8, "without the first", async (turn) => {
    const { ms, text } = await timed(client, "create_entities", { entities: [newcomer(turn)] });
    if (!text.includes(`newcomer ${turn}`)) throw new Error(`not created: ${text.slice(0, 200)}`);
    return ms;
  });
  if (wanted(`first page of read_graph at ${label} ms`))
    figures[`first page of read_graph at ${label} ms`] = await medianOf(3, "all", async () => (await timed(client, "read_graph", {})).ms);
  figures[`peak MiB at ${label}`] = memoryOf(client.pid).peak;
  return figures;
}

export const memory: Suite = {
  about: "a knowledge graph of 10,000 and of 100,000 entities: searches, new entities, read_graph, memory",
  kinds: ["memory", "any"],
  rounds: 2,
  quickRounds: 1,
  async measure(target, { quick, wanted, problem }) {
    const figures: Figures = {};
    const many = quick ? 300 : 2000;
    if (wanted(`create ${many} one by one ms`)) {
      await createMany(target, many).then(
        (created) => Object.assign(figures, created),
        (error: unknown) => problem(String(error)),
      );
    }
    for (const [label, size] of SIZES) {
      if (!NAMES.some((name) => wanted(`${name} at ${label} ms`)) && !wanted(`peak MiB at ${label}`)) continue;
      try {
        Object.assign(figures, await onGraph(target, graph(size), (client) => figuresOf(client, label, size, quick, wanted)));
      } catch (error) {
        problem(`at ${label}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return figures;
  },
};
