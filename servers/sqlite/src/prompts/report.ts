// The prompt report: asks for a report from the data.
import { prompt } from "@oarlock/server-kit";
import { completeDatabase } from "../completion.ts";
import type { Dependencies } from "../dependencies.ts";
import { optionalText, object, text } from "../argument-schemas.ts";

export const report = ({ databases }: Dependencies) =>
  prompt({
    name: "report",
    title: "Write a report",
    description: "Answer a question from the data in a short report with its sources.",
    args: () => object({ topic: text("What the report is about"), database: optionalText("Name of the database") }),
    complete: { database: completeDatabase(databases) },
    get({ topic, database }) {
      const db = databases.getOrFirst(database);
      return [
        `Write a short report on ${topic} from the SQLite database ${JSON.stringify(db.name)}.`,
        "1. Find the relevant tables with list_tables and describe_table.",
        "2. Compute with read_query, not by head, and check totals a second way.",
        "3. Note each finding with append_insight.",
        "4. Give the report: findings first, then each number with its SQL, then what the data cannot answer.",
      ].join("\n");
    },
  });
