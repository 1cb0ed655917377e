// A prompt to write a report from the data.
import { prompt } from "@oarlock/server-kit";
import { completeDatabase } from "../completion.ts";
import type { Parts } from "../dependencies.ts";
import { maybe, object, text } from "../argument-schemas.ts";

export const report = ({ databases }: Parts) =>
  prompt({
    name: "report",
    title: "Write a report",
    description: "Answer a question from the data in a short report with its sources.",
    args: () => object({ topic: text("What the report is about"), database: maybe("Name of the database") }),
    complete: { database: completeDatabase(databases) },
    get({ topic, database }) {
      const db = databases.get(database ?? databases.all[0]?.name);
      return [
        `Write a short report on ${topic} from the SQLite database ${JSON.stringify(db.name)}.`,
        "1. Find the tables that matter with list_tables and describe_table.",
        "2. Compute with read_query rather than by head, and check totals a second way.",
        "3. Note each finding with append_insight.",
        "4. Give the report: findings first, then each number with the SQL that it came from, then what the data cannot tell.",
      ].join("\n");
    },
  });
