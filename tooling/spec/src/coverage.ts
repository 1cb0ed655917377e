/** Coverage: compares the rows with the tests that name them. */
import { LEVELS, type Level, type Row, type Side } from "./requirements.ts";
import type { Mention } from "./test-ids.ts";

export interface Ledger {
  readonly rows: readonly Row[];
  /** Rows that no test shows, and why. */
  readonly reasons: readonly (readonly [id: string, reason: string])[];
  /** Rows whose part is not built yet. */
  readonly open: readonly string[];
  readonly mentions: readonly Mention[];
}

export type State = "proved" | "reasoned" | "open" | "missing";

/** Tests of one side know nothing of what the other does. A case id without the word "case" shows itself here. */
const ONE_SIDED: readonly (readonly [folder: RegExp, not: Side])[] = [
  [/^packages\/server-kit\//, "client"],
  [/^servers\//, "client"],
  [/^packages\/client\//, "server"],
];

/** How it stands with each row. A MAY that nothing shows is left out: who may, need not. */
export function statesOf({ rows, reasons, open, mentions }: Ledger): Map<Row, State> {
  const [named, excused, waiting] = [mentions.map(({ id }) => id), reasons.map(([id]) => id), open].map((ids) => new Set(ids));
  const state = ({ id }: Row): State => (named?.has(id) ? "proved" : excused?.has(id) ? "reasoned" : waiting?.has(id) ? "open" : "missing");
  return new Map(rows.map((row) => [row, state(row)] as const).filter(([row, found]) => row.level !== "MAY" || found !== "missing"));
}

/** What the gate refuses, a sentence for each; empty when the ledger is in order. */
export function faultsOf(ledger: Ledger): string[] {
  const { rows, reasons, open, mentions } = ledger;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const named = new Map(mentions.map(({ id, file }) => [id, file]));
  const excused = new Set<string>();
  const faults: string[] = [];
  for (const { id, file } of mentions) {
    const side = byId.get(id)?.side;
    if (side === undefined) faults.push(`${id}, named in ${file}, does not exist`);
    const [, wrong] = ONE_SIDED.find(([folder]) => folder.test(file)) ?? [];
    if (wrong !== undefined && side === wrong)
      faults.push(`${id} asks something of a ${side}; ${file} cannot show it (a case? "case ${id}")`);
  }
  for (const [list, ids] of [["reasons", reasons.map(([id]) => id)] as const, ["open", open] as const]) {
    for (const id of ids) {
      if (!byId.has(id)) faults.push(`${id}, in the list of ${list}, does not exist`);
      if (excused.has(id)) faults.push(`${id} stands twice among reasons and open rows`);
      if (named.has(id)) faults.push(`${id} has a test (${named.get(id)}): take it out of the list of ${list}`);
      excused.add(id);
    }
  }
  for (const [id, reason] of reasons) if (!/^[A-Z].{20,}\.$/.test(reason)) faults.push(`${id}: a reason is a sentence`);
  for (const [{ id, side, level, requirement }, state] of statesOf(ledger)) {
    if (state === "missing") faults.push(`${id} (${side} ${level}) has neither test nor reason: ${requirement}`);
  }
  return faults;
}

export type Tally = Record<State, number> & { revision: string; level: Level; apply: number };

/** How many rows of each level apply to a revision, and how it stands with them. A row that several revisions share counts in each. */
export function tally(ledger: Ledger, revisions: readonly string[]): Tally[] {
  const states = statesOf(ledger);
  return revisions.flatMap((revision) =>
    LEVELS.map((level) => {
      const those = ledger.rows.filter((row) => row.level === level && row.revisions.includes(revision));
      const count = (state: State): number => those.filter((row) => states.get(row) === state).length;
      const counts = { proved: count("proved"), reasoned: count("reasoned"), open: count("open"), missing: count("missing") };
      return { revision, level, apply: those.length, ...counts };
    }),
  );
}
