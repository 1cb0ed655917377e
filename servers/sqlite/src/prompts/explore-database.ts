// The prompt explore_database: asks for an overview of a database, and includes its tables.
import { escapeControlsInJson } from "@oarlock/domain-kit";
import { prompt } from "@oarlock/server-kit";
import { completeDatabase } from "../completion.ts";
import type { Dependencies } from "../dependencies.ts";
import { rowBytes } from "../replies/row-limits.ts";
import { optionalText, object } from "../argument-schemas.ts";

const MAX_TABLES = 200;

export const exploreDatabase = ({ databases, maxResultBytes }: Dependencies) =>
  prompt({
    name: "explore_database",
    title: "Explore a database",
    description: "Find out what a database contains and how its tables are related.",
    args: () => object({ database: optionalText("Name of the database") }),
    complete: { database: completeDatabase(databases) },
    async get({ database }, ctx) {
      const db = databases.getOrFirst(database);
      const maxBytes = rowBytes(maxResultBytes);
      const { reply } = await db.read({ op: "tables", includeViews: true, detail: "summary", maxTables: MAX_TABLES, maxBytes }, ctx);
      return [
        `Explore the SQLite database ${JSON.stringify(db.name)} and explain what it is about.`,
        "1. Use describe_table on the important tables, with a few sample rows.",
        "2. Explain how they refer to each other, and what one row of each represents.",
        "3. Suggest three questions that the data can answer, each with its SQL. Change nothing.",
        `These are its tables, as data${reply.hasMore ? " (the first ones)" : ""}:`,
        escapeControlsInJson(JSON.stringify(reply.tables)),
      ].join("\n");
    },
  });
