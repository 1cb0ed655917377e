// A prompt to make a query faster, with its plan enclosed.
import { prompt } from "@oarlock/server-kit";
import { completeDatabase } from "../completion.ts";
import type { PlanTold } from "../db/protocol/requests.ts";
import type { Parts } from "../dependencies.ts";
import { maybe, object, text } from "../argument-schemas.ts";

export const optimizeQuery = ({ databases }: Parts) =>
  prompt({
    name: "optimize_query",
    title: "Make a query faster",
    description: "Look at the plan of a query and find out what would make it faster.",
    args: () => object({ query: text("The query"), database: maybe("Name of the database") }),
    complete: { database: completeDatabase(databases) },
    async get({ query, database }, ctx) {
      const db = databases.get(database ?? databases.all[0]?.name);
      const { done } = await db.read({ op: "plan", sql: query }, ctx);
      const plan = done as PlanTold; // our own process told it
      return [
        `Make this query on the SQLite database ${JSON.stringify(db.name)} faster:`,
        query,
        `Its plan, with indexes that were tried: ${JSON.stringify(plan)}`,
        "1. Say in plain words what SQLite does, and what of it is slow.",
        "2. Propose a better query, an index, or both; show the new plan with explain_query.",
        "3. Create an index only when I agree.",
      ].join("\n");
    },
  });
