/** The ledger as text: a table for each revision, and the rows that nothing shows. */
import { statesOf, tally, type Ledger, type State, type Tally } from "./coverage.ts";
import { LEVELS } from "./requirements.ts";

const COLUMNS = ["revision", "MUST", "SHOULD", "MAY", "reasoned", "open", "missing"] as const;

/** Rows proved / rows that apply, one line for each revision. */
export function tableOf(ledger: Ledger, revisions: readonly string[]): string {
  const all = tally(ledger, revisions);
  const lines = revisions.map((revision) => {
    const those = all.filter((one) => one.revision === revision);
    const share = (level: string): string =>
      those
        .filter((one) => one.level === level)
        .map(({ proved, apply }) => `${proved} / ${apply}`)
        .join();
    const sum = (state: State): string => String(those.reduce((total, one: Tally) => total + one[state], 0));
    return [revision, ...LEVELS.map(share), sum("reasoned"), sum("open"), sum("missing")];
  });
  const widths = COLUMNS.map((name, at) => Math.max(name.length, ...lines.map((cells) => cells[at]?.length ?? 0)));
  const text = (cells: readonly string[]): string => cells.map((cell, at) => cell.padStart(widths[at] ?? 0)).join("  ");
  return ["Rows proved / rows that apply:", text(COLUMNS), ...lines.map(text), newestOf(ledger, revisions)].join("\n");
}

/** One test counts for all revisions of a row, so a second figure covers only the rows that are new in the newest revision. */
function newestOf(ledger: Ledger, revisions: readonly string[]): string {
  const newest = revisions.at(-1) ?? "";
  const own = [...statesOf(ledger)].filter(([row]) => row.level !== "MAY" && row.revisions.join() === newest);
  const proved = own.filter(([, state]) => state === "proved").length;
  return `A test of a row counts in each revision of the row. MUST and SHOULD only of ${newest}: ${proved} / ${own.length}.`;
}

/** The rows in one state by area, each with what it asks for. */
export function listOf(ledger: Ledger, wanted: State): string {
  const rows = [...statesOf(ledger)].filter(([, state]) => state === wanted).map(([row]) => row);
  const areas = Object.entries(Object.groupBy(rows, ({ area }) => area));
  return areas
    .map(([area, those = []]) =>
      [`\n${area}`, ...those.map((row) => `  ${row.id}  ${row.side} ${row.level} (${row.revisions.join(", ")}): ${row.requirement}`)].join(
        "\n",
      ),
    )
    .join("\n");
}
