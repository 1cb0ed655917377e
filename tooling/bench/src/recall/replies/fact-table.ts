// The table of facts: recall among the first facts of the text, and the length of the replies, for each set, the floor first.
import { markdownTable } from "@oarlock-tooling/test-support/markdown-table";
import type { MeasuredServer } from "../servers.ts";
import { askFloor, askServer } from "./ask-facts.ts";
import { meanTokens, recallAt, type JudgedReply } from "./fact-score.ts";
import type { FactSet } from "./fact-sets.ts";

export interface FactRow {
  readonly set: string;
  readonly server: string;
  readonly replies: readonly JudgedReply[];
}

const CUTOFFS = [5, 10, 20];
const HEADING = ["facts", "server", ...CUTOFFS.map((most) => `R@${most}`), "no fact", "tokens a reply"];

export async function measureFacts(sets: readonly FactSet[], servers: readonly MeasuredServer[]): Promise<FactRow[]> {
  const rows: FactRow[] = [];
  for (const set of sets) {
    rows.push({ set: set.name, server: "plain FTS5, 20 lines", replies: askFloor(set) });
    for (const server of servers) rows.push({ set: set.name, server: server.name, replies: await askServer(server, set) });
  }
  return rows;
}

export function factTable(rows: readonly FactRow[]): string {
  const cells = rows.map(({ set, server, replies }) => [
    set,
    server,
    ...CUTOFFS.map((most) => recallAt(most, replies).toFixed(3)),
    String(replies.filter(({ isEmpty }) => isEmpty).length),
    meanTokens(replies).toFixed(0),
  ]);
  return `${markdownTable(HEADING, cells)}\n`;
}

/** The figures as JSON. */
export const factFigures = (rows: readonly FactRow[]): string =>
  `${JSON.stringify(
    rows.map(({ set, server, replies }) => ({
      set,
      server,
      questions: replies.length,
      ...Object.fromEntries(CUTOFFS.map((most) => [`recallAt${most}`, recallAt(most, replies)])),
      withoutFact: replies.filter(({ isEmpty }) => isEmpty).length,
      tokens: meanTokens(replies),
    })),
    undefined,
    1,
  )}\n`;
