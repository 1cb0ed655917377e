/** The target table as text. */
import { format, higherIsBetter, table } from "../figures.ts";
import type { Beside, Result, RowResult } from "./result.ts";

const HEAD = ["figure", "floor", "best peer (ours to it)", "ours", "ratio", "bar", "stretch", "verdict", "to SDK v1", "to SDK v2"];

const to = ({ figure }: RowResult, limit: number | undefined): string =>
  limit === undefined ? "" : `${higherIsBetter(figure) ? "≥" : "≤"} ${limit}`;

/** Ours to a product, with the limit where one was set and missed. */
function beside(row: RowResult, product: string): string {
  const peer = row.peers.find((one) => one.product === product);
  if (peer === undefined) return "";
  return `${format(peer.ours)}${peer.verdict === "missed" ? ` (bar ${to(row, peer.limit)})` : ""}`;
}

export const bestOf = ({ peers }: RowResult): Beside | undefined => peers[0];

export function verdictOf({ verdict, stretched, bar, ours }: RowResult): string {
  if (ours === undefined || Number.isNaN(ours)) return "n/a";
  if (bar === undefined) return "";
  return verdict === "met" && stretched === true ? "met, stretch too" : (verdict ?? "missed");
}

const cells = (row: RowResult): string[] => {
  const best = bestOf(row);
  const flag = row.behind.length > 0 ? `, BEHIND ${row.behind.join(", ")}` : "";
  return [
    `${row.of}: ${row.figure}`,
    row.floor === undefined ? "" : format(row.floor.value),
    best === undefined ? "none" : `${best.product} ${format(best.value)} (${format(best.ours)})`,
    format(row.ours ?? NaN),
    row.floor === undefined ? "" : `${format(row.ratio ?? NaN)} (${format(row.low ?? NaN)}–${format(row.high ?? NaN)})`,
    to(row, row.bar),
    to(row, row.stretch),
    `${verdictOf(row)}${flag}`,
    beside(row, "SDK v1"),
    beside(row, "SDK v2"),
  ];
};

export function printed({ rows, problems, seconds }: Result): string {
  const missed = rows.filter(({ verdict }) => verdict === "missed").length;
  const behind = rows.filter((row) => row.behind.length > 0).length;
  const wide = rows.flatMap((row) => row.peers.filter(({ verdict }) => verdict === "missed")).length;
  const sum = `${rows.length} rows in ${Math.round(seconds)} s: ${missed} miss their bar, ${behind} are behind a peer, ${wide} bars to single peers are missed.`;
  return [table(HEAD, rows.map(cells)), "", sum, ...problems].join("\n");
}
