// Asks one server, or the floor, all questions of a set of facts, and judges the text of each reply.
import { Client } from "../../client.ts";
import { inScratch, sleep, succeeded, textOf } from "../../suites/suite.ts";
import type { MeasuredServer } from "../servers.ts";
import { judgeReply, type JudgedReply } from "./fact-score.ts";
import type { FactMemory, FactSet } from "./fact-sets.ts";
import { openFloor } from "./floor.ts";

/** For the vectors of one memory, each with some hundred facts. */
const MAX_WAIT_MS = 600_000;
const POLL_MS = 500;

export const askFloor = ({ memories }: FactSet): JudgedReply[] =>
  memories.flatMap((memory) => {
    const answer = openFloor(factsOf(memory));
    return memory.questions.map((question) => judgeReply(question, answer(question.text), factsOf(memory)));
  });

export async function askServer({ start, embeds = false }: MeasuredServer, { memories }: FactSet): Promise<JudgedReply[]> {
  const replies: JudgedReply[] = [];
  for (const memory of memories)
    replies.push(...(await inScratch((folder) => Client.with(start(folder), (client) => askMemory(client, memory, embeds)))));
  return replies;
}

async function askMemory(client: Client, memory: FactMemory, embeds: boolean): Promise<JudgedReply[]> {
  await reply(client, "create_entities", { entities: memory.entities });
  if (embeds) await waitForVectors(client);
  const replies: JudgedReply[] = [];
  for (const question of memory.questions)
    replies.push(judgeReply(question, await reply(client, "search_nodes", { query: question.text }), factsOf(memory)));
  return replies;
}

/** Replies name their embeddings as long as texts wait for them. No text of the benchmarks has the word. */
export async function waitForVectors(client: Client): Promise<void> {
  const end = Date.now() + MAX_WAIT_MS;
  while (/embed/i.test(await reply(client, "search_nodes", { query: "anything" }))) {
    if (Date.now() > end) throw new Error("Texts still wait for embeddings. Check --embeddings.");
    await sleep(POLL_MS);
  }
}

/** What a model reads of a reply: all its texts. */
const reply = async (client: Client, name: string, args: object): Promise<string> =>
  textOf(succeeded(await client.call("tools/call", { name, arguments: args })));

const factsOf = ({ entities }: FactMemory): string[] => entities.flatMap(({ observations }) => observations);
