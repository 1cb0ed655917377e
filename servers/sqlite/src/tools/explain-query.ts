// explain_query: how SQLite would run a statement.
import { tool } from "@oarlock/server-kit";
import type { PlanStep, PlanTold } from "../db/protocol/requests.ts";
import { paramsOf, type Parts } from "../dependencies.ts";
import { database, object, params, result, text, z } from "../argument-schemas.ts";

export const explainQuery = ({ databases }: Parts) =>
  tool({
    name: "explain_query",
    title: "Explain a query",
    description:
      "How SQLite would run a statement, without running it: the plan, full scans, sorting, and indexes that would help (each was tried on an empty copy).",
    input: () => object({ query: text("One SQL statement"), params, database }),
    output: () =>
      result({
        plan: z.array(z.looseObject({ detail: z.string() })),
        fullScans: z.array(z.string()),
        suggestions: z.array(z.looseObject({ sql: z.string() })),
      }),
    hints: { readOnly: true, openWorld: false },
    async run({ query, params: given, database: name }, ctx) {
      const { done } = await databases.get(name).read({ op: "plan", sql: query, params: paramsOf(given) }, ctx);
      const { plan, truncated = false, fullScans, tempBTrees, indexes, suggestions } = done as PlanTold; // our own process told it
      const advice = suggestions.map(({ sql, step }) => `Would help: ${sql} (then: ${step})`);
      const structured = {
        plan: plan.map(plain),
        ...(truncated && { truncated }),
        fullScans: [...fullScans],
        tempBTrees,
        indexes,
        suggestions: suggestions.map((one) => ({ ...one })),
      };
      const note = truncated ? ["[truncated: the plan has more steps; explain a part of the statement]"] : [];
      // Not an empty text, which some hosts refuse.
      const steps =
        plan.length === 0 ? ["The plan has no steps: the statement looks into no table"] : plan.flatMap((step) => lines(step, ""));
      return { content: [...steps, ...note, ...advice].join("\n"), structured };
    },
  });

const plain = (step: PlanStep): { detail: string } => ({ ...step });

const lines = ({ detail, steps = [] }: PlanStep, indent: string): string[] => [
  `${indent}${detail.replaceAll(/\s+/g, " ")}`,
  ...steps.flatMap((step) => lines(step, `${indent}  `)),
];
