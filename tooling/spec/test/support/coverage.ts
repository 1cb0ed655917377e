/** Coverage: compares the rows with the tests that name them. */
import type { Row, Side } from "./requirements.ts";
import type { Mention } from "./test-ids.ts";

export interface Ledger {
  readonly rows: readonly Row[];
  /** Rows that no test shows, and why. */
  readonly reasons: readonly (readonly [id: string, reason: string])[];
  readonly mentions: readonly Mention[];
}

export type State = "proved" | "reasoned" | "missing";

/** Tests of one side know nothing of what the other does. A case id without the word "case" shows itself here. */
const ONE_SIDED: readonly (readonly [folder: RegExp, not: Side])[] = [
  [/^packages\/server-kit\//, "client"],
  [/^servers\//, "client"],
  [/^packages\/client\//, "server"],
];

/** How it stands with each row. A MAY that nothing shows is left out: who may, need not. */
export function statesOf({ rows, reasons, mentions }: Ledger): Map<Row, State> {
  const named = new Set(mentions.map(({ id }) => id));
  const excused = new Set(reasons.map(([id]) => id));
  const state = ({ id }: Row): State => (named.has(id) ? "proved" : excused.has(id) ? "reasoned" : "missing");
  return new Map(rows.map((row) => [row, state(row)] as const).filter(([row, found]) => row.level !== "MAY" || found !== "missing"));
}

/** What the gate refuses, a sentence for each; empty when the ledger is in order. */
export function faultsOf(ledger: Ledger): string[] {
  const { rows, reasons, mentions } = ledger;
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
  for (const [id] of reasons) {
    if (!byId.has(id)) faults.push(`${id}, in the list of reasons, does not exist`);
    if (excused.has(id)) faults.push(`${id} stands twice in the list of reasons`);
    if (named.has(id)) faults.push(`${id} has a test (${named.get(id)}): take it out of the list of reasons`);
    excused.add(id);
  }
  for (const [id, reason] of reasons) if (!/^[A-Z].{20,}\.$/.test(reason)) faults.push(`${id}: a reason is a sentence`);
  for (const [{ id, side, level, requirement }, state] of statesOf(ledger)) {
    if (state === "missing") faults.push(`${id} (${side} ${level}) has neither test nor reason: ${requirement}`);
  }
  return faults;
}

/** How many of the MUST and SHOULD that apply to each revision a test proves, a line each. A row that several revisions share counts in each. */
export function proofsOf(ledger: Ledger, revisions: readonly string[]): string[] {
  const due = [...statesOf(ledger)].filter(([{ level }]) => level !== "MAY");
  return revisions.map((revision) => {
    const those = due.filter(([row]) => row.revisions.includes(revision));
    return `${revision}: ${those.filter(([, state]) => state === "proved").length} of ${those.length} proved`;
  });
}
