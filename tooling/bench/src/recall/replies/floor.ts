// The floor: plain full-text search over the facts, as one line of SQL, with its best twenty facts as the text of the reply.
import { DatabaseSync } from "node:sqlite";

const LINES = 20;

/** A function that answers a question with text. */
export function openFloor(facts: readonly string[]): (question: string) => string {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE facts USING fts5(fact, tokenize = 'porter unicode61')");
  const insert = database.prepare("INSERT INTO facts VALUES (?)");
  for (const fact of facts) insert.run(fact);
  const search = database.prepare("SELECT fact FROM facts WHERE facts MATCH ? ORDER BY bm25(facts), rowid LIMIT ?");
  return (question) => {
    const words = question.match(/[\p{L}\p{N}]+/gu) ?? [];
    return search
      .all(words.map((word) => `"${word}"`).join(" OR "), LINES)
      .map(({ fact }) => fact)
      .join("\n");
  };
}
