// ChartChoice: which chart a result becomes, by the kinds of its columns.
import type { ResultColumn } from "./rows.ts";
import type { Kind } from "./values.ts";

export const CHARTS = { bar: "Bar", line: "Line", scatter: "Scatter", histogram: "Histogram" } as const;
export type ChartKind = keyof typeof CHARTS;

export interface ChartChoice {
  readonly kind: ChartKind;
  /** Indexes of columns. A histogram has only `x`. */
  readonly x: number;
  readonly y: number;
}

/** Undefined: no column has numbers. */
export function suggestChart(columns: readonly ResultColumn[], kinds: readonly Kind[]): ChartChoice | undefined {
  const indexes = kinds.map((_, at) => at);
  const numbers = indexes.filter((at) => kinds[at] === "number");
  const measures = numbers.filter((at) => !/(^|_)id$/i.test(columns[at]?.name ?? "")); // keys say little in a chart
  const [first, second] = [...new Set([...measures, ...numbers])];
  if (first === undefined) return undefined;
  const [date, text] = [kinds.indexOf("date"), kinds.indexOf("text")];
  if (date !== -1) return { kind: "line", x: date, y: first };
  if (text !== -1) return { kind: "bar", x: text, y: first };
  if (second === undefined) return { kind: "histogram", x: first, y: first };
  return { kind: "scatter", x: Math.min(first, second), y: Math.max(first, second) };
}

/** Columns that an axis can have, by index. */
export function columnsFor(axis: "x" | "y", kind: ChartKind, kinds: readonly Kind[]): number[] {
  const accepted = (at: number): boolean => {
    if (axis === "y" || kind === "histogram") return kinds[at] === "number";
    return kind !== "scatter" || kinds[at] !== "text";
  };
  return kinds.flatMap((_, at) => (accepted(at) ? [at] : []));
}

/** The choice with another kind: columns that its axes cannot have are replaced by the first that they can. */
export function withKind({ x, y }: ChartChoice, kind: ChartKind, kinds: readonly Kind[]): ChartChoice {
  const [xs, ys] = [columnsFor("x", kind, kinds), columnsFor("y", kind, kinds)];
  const otherX = xs.find((at) => at !== y) ?? xs[0] ?? x;
  return { kind, x: xs.includes(x) ? x : kind === "histogram" ? y : otherX, y: ys.includes(y) ? y : (ys[0] ?? y) };
}
