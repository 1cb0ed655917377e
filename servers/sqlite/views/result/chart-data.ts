// ChartData: what a chart draws, and the same as the rows of a table.
import { clipped, counted } from "@oarlock/extensions/page";
import { CHARTS, type ChartChoice } from "./chart-choice.ts";
import type { ResultColumn, Row } from "./rows.ts";
import { isNull, textOfValue, timeOf, type Kind } from "./values.ts";

export interface ChartData {
  readonly kind: ChartChoice["kind"];
  readonly title: string;
  /** What is left out; empty: nothing. */
  readonly note: string;
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  /** Names of the positions 0, 1, …, where the x axis has no numbers. */
  readonly labels?: readonly string[];
  readonly isTime: boolean;
  /** Between two bars. */
  readonly step?: number;
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly Row[];
}

/** Narrower bars cannot be told apart. */
const MAX_BARS = 300;
const MAX_BINS = 50;

interface Source {
  readonly columns: readonly ResultColumn[];
  readonly kinds: readonly Kind[];
  readonly rows: readonly Row[];
}

export function chartData(choice: ChartChoice, source: Source): ChartData {
  const { kind } = choice;
  const names = [choice.x, choice.y].map((at) => clipped(source.columns[at]?.name ?? "", 60));
  const points = source.rows.map((row): Row => [row[choice.x], row[choice.y]]).filter((point) => point.every((value) => !isNull(value)));
  const missing = source.rows.length - points.length;
  const data = kind === "histogram" ? histogram(points, names) : series(choice, points, names, source.kinds);
  const notes = [data.note, missing > 0 && `${counted(missing, "row")} with NULL left out.`];
  return { ...data, kind, note: notes.filter(Boolean).join(" ") };
}

type Drawn = Omit<ChartData, "kind">;

function series({ kind, x }: ChartChoice, points: readonly Row[], [xName = "", yName = ""]: string[], kinds: readonly Kind[]): Drawn {
  const isTime = kind !== "bar" && kinds[x] === "date";
  const isNamed = kind === "bar" || kinds[x] === "text";
  const shown = kind === "bar" ? points.slice(0, MAX_BARS) : points;
  const placed = shown.map((row, index) => ({
    row,
    x: isNamed ? index : isTime ? timeOf(row[0]) / 1000 : Number(row[0]),
    y: Number(row[1]),
  }));
  const drawn = placed.filter((point) => Number.isFinite(point.x) && Number.isFinite(point.y));
  if (!isNamed) drawn.sort((one, other) => one.x - other.x);
  return {
    title: `${CHARTS[kind]} chart: ${yName} by ${xName}, ${counted(drawn.length, kind === "bar" ? "bar" : "point")}`,
    note: [
      shown.length < points.length ? `The first ${MAX_BARS} of ${counted(points.length, "row")}.` : "",
      drawn.length < placed.length ? `${counted(placed.length - drawn.length, "row")} without a valid date or number left out.` : "",
    ]
      .filter(Boolean)
      .join(" "),
    xs: drawn.map((point) => point.x),
    ys: drawn.map((point) => point.y),
    ...(isNamed && { labels: drawn.map(({ row }) => clipped(textOfValue(row[0]), 16)) }),
    isTime,
    step: 1,
    columns: [{ name: xName }, { name: yName }],
    rows: drawn.map(({ row }) => row),
  };
}

function histogram(points: readonly Row[], [name = ""]: string[]): Drawn {
  const values = points.map(([value]) => Number(value));
  const low = values.reduce((least, value) => Math.min(least, value), Infinity);
  const high = values.reduce((most, value) => Math.max(most, value), -Infinity);
  const step = roundStep((high - low) / Math.min(MAX_BINS, Math.ceil(Math.sqrt(values.length))));
  const start = Math.floor(low / step);
  const count = values.length === 0 ? 0 : Math.min(2 * MAX_BINS, Math.floor(high / step) - start + 1);
  const counts = Array.from({ length: count }, () => 0);
  for (const value of values) {
    const bin = Math.min(count - 1, Math.max(0, Math.floor(value / step) - start));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const edge = (index: number): number => Number(((start + index) * step).toPrecision(12));
  return {
    title: `Histogram of ${name}, ${counted(count, "bin")}`,
    note: "",
    xs: counts.map((_, index) => (start + index + 0.5) * step),
    ys: counts,
    isTime: false,
    step,
    columns: [{ name }, { name: "Rows" }],
    rows: counts.map((rows, index) => [`${edge(index)} to ${edge(index + 1)}`, rows]),
  };
}

/** The next larger of 1, 2, 2.5, 5 and 10 times a power of ten. */
function roundStep(width: number): number {
  if (!(width > 0) || !Number.isFinite(width)) return 1;
  const power = 10 ** Math.floor(Math.log10(width));
  return power * ([1, 2, 2.5, 5].find((factor) => factor * power >= width) ?? 10);
}
