// A prompt to get to know a database, with its tables enclosed.
import { prompt } from "@oarlock/server-kit";
import { completeDatabase } from "../completion.ts";
import type { TablesTold } from "../db/protocol/requests.ts";
import { rowsRoom, type Parts } from "../dependencies.ts";
import { maybe, object } from "../argument-schemas.ts";

export const exploreDatabase = ({ databases, maxResultBytes }: Parts) =>
  prompt({
    name: "explore_database",
    title: "Explore a database",
    description: "Find out what a database holds and how its tables belong together.",
    args: () => object({ database: maybe("Name of the database") }),
    complete: { database: completeDatabase(databases) },
    async get({ database }, ctx) {
      const db = databases.get(database ?? databases.all[0]?.name);
      const asked = { op: "tables", views: true, detail: "summary", limit: 200, bytes: rowsRoom(maxResultBytes) } as const;
      const { done } = await db.read(asked, ctx);
      const { tables, more } = done as TablesTold; // our own process told it
      return [
        `Explore the SQLite database ${JSON.stringify(db.name)} and tell me what it is about.`,
        "1. Use describe_table on the tables that matter, with a few sample rows.",
        "2. Tell how they refer to each other, and what one row of each stands for.",
        "3. Offer three questions that the data can answer, each with its SQL. Change nothing.",
        `These are its tables, as data${more ? " (the first ones)" : ""}:`,
        JSON.stringify(tables),
      ].join("\n");
    },
  });
