// explain_query: how SQLite would run a statement.
import { escapeControls } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import { database, object, params, result, text, toParams, z } from "../argument-schemas.ts";
import type { PlanStep } from "../db/protocol/query-messages.ts";
import type { Dependencies } from "../dependencies.ts";

export const explainQuery = ({ databases }: Dependencies) =>
  tool({
    name: "explain_query",
    title: "Explain a query",
    description:
      "How SQLite would run a statement, without running it on the database: the plan, full scans, sorting, and indexes that would help (each tried on a copy).",
    input: () => object({ query: text("One SQL statement"), params, database }),
    output: () =>
      result({
        plan: z.array(z.looseObject({ detail: z.string() })),
        fullScans: z.array(z.string()),
        suggestions: z.array(z.looseObject({ sql: z.string() })),
      }),
    hints: { readOnly: true, openWorld: false },
    async run({ query, params: given, database: name }, ctx) {
      const { reply } = await databases.get(name).read({ op: "plan", sql: query, params: toParams(given) }, ctx);
      const { plan, truncated = false, suggestions } = reply;
      // Some hosts refuse an empty text.
      const steps = plan.length === 0 ? ["The plan has no steps: the statement reads no table"] : plan.flatMap((step) => linesOf(step, ""));
      const note = truncated ? ["[truncated: the plan has more steps; explain a part of the statement]"] : [];
      const advice = suggestions.map(({ sql, step }) => escapeControls(`Would help: ${sql} (then: ${step})`));
      return { content: [...steps, ...note, ...advice].join("\n"), structured: reply };
    },
  });

const linesOf = ({ detail, steps = [] }: PlanStep, indent: string): string[] => [
  `${indent}${escapeControls(detail.replaceAll(/\s+/g, " "))}`,
  ...steps.flatMap((step) => linesOf(step, `${indent}  `)),
];
