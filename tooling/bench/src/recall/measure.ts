// Asks one server all questions of a memory.
import { Client, type Message } from "../client.ts";
import { inScratch, sleep, succeeded, textOf } from "../suites/suite.ts";
import type { Corpus, Entity, Question, Relation } from "./corpus.ts";
import type { MeasuredServer } from "./servers.ts";

/** Results that count. */
const CUTOFF = 5;

/** For the vectors of one memory, each with some hundred facts. */
const MAX_WAIT_MS = 600_000;
const POLL_MS = 500;

interface Memory<OneQuestion> {
  readonly entities: readonly Entity[];
  readonly relations?: readonly Relation[];
  readonly questions: readonly OneQuestion[];
}

/** Fills the server's memory, searches it for each question, and judges each reply. */
export function askAll<OneQuestion extends { readonly text: string }, Judged>(
  { start, embeds = false }: MeasuredServer,
  { entities, relations, questions }: Memory<OneQuestion>,
  judge: (question: OneQuestion, reply: Message) => Judged,
): Promise<Judged[]> {
  const measure = async (client: Client): Promise<Judged[]> => {
    await callTool(client, "create_entities", { entities });
    if (relations !== undefined) await callTool(client, "create_relations", { relations });
    if (embeds) await waitForVectors(client);
    const judged: Judged[] = [];
    for (const question of questions) judged.push(judge(question, await callTool(client, "search_nodes", { query: question.text })));
    return judged;
  };
  return inScratch((folder) => Client.with(start(folder), measure));
}

const callTool = async (client: Client, name: string, args: object): Promise<Message> =>
  succeeded(await client.call("tools/call", { name, arguments: args }));

/** Replies name their embeddings as long as texts wait for them. No text of the benchmarks has the word. */
async function waitForVectors(client: Client): Promise<void> {
  const end = Date.now() + MAX_WAIT_MS;
  while (/embed/i.test(textOf(await callTool(client, "search_nodes", { query: "anything" })))) {
    if (Date.now() > end) throw new Error("Texts still wait for embeddings. Check --embeddings.");
    await sleep(POLL_MS);
  }
}

export interface Result {
  readonly question: Question;
  /** Of the answer in the reply, from 1; undefined where it is not in it. */
  readonly rank: number | undefined;
}

interface Found {
  readonly entities?: readonly { readonly name: string }[];
}

export const askQuestions = (server: MeasuredServer, corpus: Corpus): Promise<Result[]> =>
  askAll(server, corpus, (question, { result }) => {
    // The structured result; the text where a server has none.
    const { entities = [] } = (result?.structuredContent ?? JSON.parse(result?.content?.[0]?.text ?? "{}")) as Found; // all servers have this shape
    const at = entities.findIndex(({ name }) => name === question.answer);
    return { question, rank: at === -1 ? undefined : at + 1 };
  });

export const isRecalled = ({ rank = Infinity }: Result): boolean => rank <= CUTOFF;

/** `mrr`: the mean of 1/rank of the first right result among all that a reply has. */
export const scoreOf = (results: readonly Result[]): { readonly recall: number; readonly mrr: number } => ({
  recall: mean(results.map((result) => (isRecalled(result) ? 1 : 0))),
  mrr: mean(results.map(({ rank }) => (rank === undefined ? 0 : 1 / rank))),
});

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
