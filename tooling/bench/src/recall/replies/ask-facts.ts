// Asks one server, or the floor, all questions of a set of facts, and judges the text of each reply: what a model reads of it.
import { textOf } from "../../suites/suite.ts";
import { askAll } from "../measure.ts";
import type { MeasuredServer } from "../servers.ts";
import { judgeReply, type JudgedReply } from "./fact-score.ts";
import type { FactMemory, FactSet } from "./fact-sets.ts";
import { openFloor } from "./floor.ts";

export const askFloor = ({ memories }: FactSet): JudgedReply[] =>
  memories.flatMap((memory) => {
    const answer = openFloor(factsOf(memory));
    return memory.questions.map((question) => judgeReply(question, answer(question.text), factsOf(memory)));
  });

export async function askServer(server: MeasuredServer, { memories }: FactSet): Promise<JudgedReply[]> {
  const replies: JudgedReply[] = [];
  for (const memory of memories)
    replies.push(...(await askAll(server, memory, (question, reply) => judgeReply(question, textOf(reply), factsOf(memory)))));
  return replies;
}

const factsOf = ({ entities }: FactMemory): string[] => entities.flatMap(({ observations }) => observations);
