// Held-out questions: another subject, written in one go after the ranking was finished, and never used to change it.
import type { Corpus, QuestionKind } from "./corpus.ts";
import { readTable } from "./data-table.ts";

const notes = readTable("recall/held-out-notes.tsv");
const people = ["Mara", "Timo", "Emil", "Livia", "Piet", "Hanna", "Minka"];
const ties = [
  ["Mara", "mother_of", "Timo"],
  ["Mara", "daughter_of", "Emil"],
  ["Livia", "aunt_of", "Mara"],
  ["Piet", "brother_of", "Emil"],
  ["Hanna", "cousin_of", "Mara"],
  ["Minka", "is_a", "moggy"],
  ["vet", "treats", "Minka"],
];
const about = notes.flatMap(([name = "", , text = ""]) =>
  people.filter((person) => text.includes(person)).map((person) => [name, "about", person]),
);

export const HELD_OUT: Corpus = {
  entities: [
    ...notes.map(([name = "", entityType = "", text = ""]) => ({ name, entityType, observations: [text] })),
    ...people.map((name) => ({ name, entityType: name === "Minka" ? "animal" : "person", observations: [] })),
    ...["moggy", "beverage"].map((name) => ({ name, entityType: "kind", observations: [] })),
  ],
  relations: [...about, ...ties].map(([from = "", relationType = "", to = ""]) => ({ from, to, relationType })),
  questions: readTable("recall/held-out-questions.tsv").map(([kind, text = "", answer = ""]) => ({
    ...{ kind: kind as QuestionKind, text, answer }, // our own table
  })),
};
