// What a recall benchmark stores, and what it asks.
import type { Question } from "./questions.ts";

export interface Entity {
  readonly name: string;
  readonly entityType: string;
  readonly observations: readonly string[];
}

export interface Relation {
  readonly from: string;
  readonly to: string;
  readonly relationType: string;
}

export interface Corpus {
  readonly entities: readonly Entity[];
  readonly relations: readonly Relation[];
  readonly questions: readonly Question[];
}
