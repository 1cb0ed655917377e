// What the benchmark of facts stores and asks: BFCL's conversations in three layouts, and forty facts with paraphrased questions.
import type { Entity } from "../corpus.ts";
import { readData, readTable } from "../data-table.ts";

export interface FactQuestion {
  readonly text: string;
  /** Texts of which a right fact contains one. */
  readonly answers: readonly string[];
}

/** What one memory holds, and the questions to it. */
export interface FactMemory {
  readonly entities: readonly Entity[];
  readonly questions: readonly FactQuestion[];
}

export interface FactSet {
  readonly name: string;
  readonly memories: readonly FactMemory[];
}

interface Session {
  readonly topic: string;
  readonly facts: readonly string[];
}

const LAYOUTS: Readonly<Record<string, (speaker: string, sessions: readonly Session[]) => Entity[]>> = {
  "an entity for each session": (_, sessions) =>
    sessions.map(({ topic, facts }) => ({ name: topic, entityType: "session", observations: facts })),
  "an entity for each person": (speaker, sessions) => [
    { name: speaker, entityType: "person", observations: sessions.flatMap(({ facts }) => facts) },
  ],
  "an entity for each fact": (_, sessions) =>
    sessions.flatMap(({ facts }) => facts).map((fact, index) => ({ name: `Fact ${index + 1}`, entityType: "fact", observations: [fact] })),
};

/** BFCL v4 memory, from data/bfcl-memory. */
export function publicSets(): FactSet[] {
  const asked = Map.groupBy(readTable("bfcl-memory/questions.tsv"), ([speaker = ""]) => speaker);
  const conversations = [...asked].map(([speaker, rows]) => ({
    speaker,
    sessions: readSessions(`bfcl-memory/${speaker}.txt`),
    questions: rows.map(([, text = "", answers = ""]) => ({ text, answers: answers.split(" | ") })),
  }));
  return Object.entries(LAYOUTS).map(([name, layOut]) => ({
    name: `BFCL, ${name}`,
    memories: conversations.map(({ speaker, sessions, questions }) => ({ entities: layOut(speaker, sessions), questions })),
  }));
}

/** Facts of one user and the people around, asked in other words. */
export function paraphrases(): FactSet {
  const rows = readTable("paraphrases.tsv");
  const entities = [...Map.groupBy(rows, ([name = ""]) => name)].map(([name, own]) => ({
    name,
    entityType: own[0]?.[1] ?? "",
    observations: own.map(([, , fact = ""]) => fact),
  }));
  const questions = rows.map(([, , fact = "", text = ""]) => ({ text, answers: [fact] }));
  return { name: "forty paraphrases", memories: [{ entities, questions }] };
}

/** A heading for each session, and below it a sentence on each line. */
const readSessions = (name: string): Session[] =>
  readData(name)
    .split("\n\n")
    .map((part) => part.split("\n"))
    .map(([heading = "", ...facts]) => ({ topic: heading.replace("# ", ""), facts }));
