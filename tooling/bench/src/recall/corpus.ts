// What a recall benchmark stores, and what it asks.

export const QUESTION_KINDS = ["same words", "inflected", "synonym", "typing error", "time", "several hops"] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

export interface Question {
  readonly kind: QuestionKind;
  readonly text: string;
  readonly answer: string;
}

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
