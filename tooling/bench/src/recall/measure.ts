// Asks one server all questions of the recall benchmark.
import { Client } from "../client.ts";
import { inScratch, succeeded } from "../suites/suite.ts";
import type { Corpus, Question } from "./corpus.ts";
import { waitForVectors } from "./replies/ask-facts.ts";
import type { MeasuredServer } from "./servers.ts";

/** Results that count. */
const CUTOFF = 5;

export interface Score {
  readonly recall: number;
  /** The mean of 1/rank of the first right result among all that a reply has. */
  readonly mrr: number;
}

export interface Result {
  readonly question: Question;
  /** Of the answer in the reply, from 1; undefined where it is not in it. */
  readonly rank: number | undefined;
}

interface Found {
  readonly entities?: readonly { readonly name: string }[];
}

/** Fills the server's memory first. */
export function askQuestions({ start, embeds = false }: MeasuredServer, corpus: Corpus): Promise<Result[]> {
  const measure = async (client: Client): Promise<Result[]> => {
    await callTool(client, "create_entities", { entities: corpus.entities });
    await callTool(client, "create_relations", { relations: corpus.relations });
    if (embeds) await waitForVectors(client);
    const results: Result[] = [];
    for (const question of corpus.questions) {
      const { entities = [] } = await callTool(client, "search_nodes", { query: question.text });
      const at = entities.findIndex(({ name }) => name === question.answer);
      results.push({ question, rank: at === -1 ? undefined : at + 1 });
    }
    return results;
  };
  return inScratch((folder) => Client.with(start(folder), measure));
}

export const isRecalled = ({ rank = Infinity }: Result): boolean => rank <= CUTOFF;

export const scoreOf = (results: readonly Result[]): Score => ({
  recall: mean(results.map((result) => (isRecalled(result) ? 1 : 0))),
  mrr: mean(results.map(({ rank }) => (rank === undefined ? 0 : 1 / rank))),
});

/** The structured result; the text where a server has none. */
async function callTool(client: Client, name: string, args: object): Promise<Found> {
  const { result } = succeeded(await client.call("tools/call", { name, arguments: args }));
  return (result?.structuredContent ?? JSON.parse(result?.content?.[0]?.text ?? "{}")) as Found; // all servers have this shape
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
