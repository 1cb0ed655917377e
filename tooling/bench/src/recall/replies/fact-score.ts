// Judges replies: where the first fact with an answer is among the facts that a reader meets, and how long the text is.
import type { FactQuestion } from "./fact-sets.ts";
import { factsInText } from "./facts-in-text.ts";

export interface JudgedReply {
  readonly question: FactQuestion;
  /** Of the first fact with an answer, from 1; undefined where none has it. */
  readonly rank: number | undefined;
  readonly isEmpty: boolean;
  readonly tokens: number;
}

const BYTES_PER_TOKEN = 4;

/** `facts`: all that the memory has. */
export function judgeReply(question: FactQuestion, text: string, facts: readonly string[]): JudgedReply {
  const visible = factsInText(text, facts);
  const at = visible.findIndex((fact) => hasAnswer(fact, question.answers));
  return {
    question,
    rank: at === -1 ? undefined : at + 1,
    isEmpty: visible.length === 0,
    tokens: Buffer.byteLength(text) / BYTES_PER_TOKEN,
  };
}

/** Whether a text has one of the answers as words. Case and punctuation do not count. */
export const hasAnswer = (text: string, answers: readonly string[]): boolean =>
  answers.some((answer) => toWords(text).includes(toWords(answer)));

const toWords = (text: string): string => ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")} `;

/** The share of questions whose answer is among the first facts. */
export const recallAt = (most: number, replies: readonly JudgedReply[]): number =>
  replies.filter(({ rank = Infinity }) => rank <= most).length / replies.length;

export const meanTokens = (replies: readonly JudgedReply[]): number =>
  replies.reduce((sum, { tokens }) => sum + tokens, 0) / replies.length;
