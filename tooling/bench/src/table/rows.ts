/** The target table, `data/target-table.tsv`: limits for ratios of figures from one run. */
import { readFileSync } from "node:fs";

/** A row of the target table: one figure of ours compared with the floor and the peers. */
export interface Row {
  /** The heading above it; empty: the row only has limits, and is not shown. */
  group: string;
  suite: string;
  figure: string;
  of: string;
  /** Omitted: the limit applies to the figure itself. */
  floor?: string | undefined;
  /** The limit; omitted: the figure is only shown. */
  bar?: number | undefined;
  stretch?: number | undefined;
  /** Ours to the figure of a peer, by the peer's name. */
  beside?: Readonly<Record<string, number>> | undefined;
  /** The figure to measure ours by where it has no such figure, and why it is the nearest one. */
  instead?: { figure: string; why: string } | undefined;
  /** One of the few that `--quick` measures. */
  quick?: boolean;
  note?: string | undefined;
}

const besideOf = (cell: string): Record<string, number> =>
  Object.fromEntries(
    cell.split(", ").map((pair) => {
      const [, peer = "", limit] = /^(\S+) (\S+)$/.exec(pair) ?? [];
      return [peer, Number(limit)];
    }),
  );

function rowOf(line: string): Row {
  const cells = line.split("\t");
  const [group = "", suite = "", figure = "", of = "", floor = "", bar = "", stretch = ""] = cells;
  const [beside = "", quick = "", instead = "", why = "", note = ""] = cells.slice(7);
  return {
    ...{ group, suite, figure, of, floor: textIn(floor), bar: numberIn(bar), stretch: numberIn(stretch), note: textIn(note) },
    beside: beside === "" ? undefined : besideOf(beside),
    quick: quick !== "",
    instead: instead === "" ? undefined : { figure: instead, why },
  };
}

const textIn = (cell: string): string | undefined => (cell === "" ? undefined : cell);
const numberIn = (cell: string): number | undefined => (cell === "" ? undefined : Number(cell));

/** Every row with a limit or a figure to show. */
export const ALL_ROWS: readonly Row[] = readFileSync(new URL("../../data/target-table.tsv", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .slice(1)
  .map(rowOf);

/** The rows that are shown. */
export const ROWS: readonly Row[] = ALL_ROWS.filter(({ group }) => group !== "");
