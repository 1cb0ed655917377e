// The prompt optimize_query: asks for a faster query, and includes its plan.
import { escapeControlsInJson } from "@oarlock/domain-kit";
import { prompt } from "@oarlock/server-kit";
import { completeDatabase } from "../completion.ts";
import type { Dependencies } from "../dependencies.ts";
import { optionalText, object, text } from "../argument-schemas.ts";

export const optimizeQuery = ({ databases }: Dependencies) =>
  prompt({
    name: "optimize_query",
    title: "Make a query faster",
    description: "Look at the plan of a query and find out what would make it faster.",
    args: () => object({ query: text("The query"), database: optionalText("Name of the database") }),
    complete: { database: completeDatabase(databases) },
    async get({ query, database }, ctx) {
      const db = databases.getOrFirst(database);
      const { reply } = await db.read({ op: "plan", sql: query }, ctx);
      return [
        `Make this query on the SQLite database ${JSON.stringify(db.name)} faster:`,
        query,
        `Its plan, with indexes that were tried: ${escapeControlsInJson(JSON.stringify(reply))}`,
        "1. Explain in plain words what SQLite does, and which part is slow.",
        "2. Propose a better query, an index, or both; show the new plan with explain_query.",
        "3. Create an index only when I agree.",
      ].join("\n");
    },
  });
