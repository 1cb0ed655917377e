/** Sums over rounds, and how figures are written down. */

/** What one round measured, by name; the name carries the unit. NaN: could not be measured. */
export type Figures = Record<string, number>;

export const higherIsBetter = (figure: string): boolean => figure.endsWith("rps");

/** The difference of two measurements, which may be next to nothing in one round: what it is divided by says little then. */
export const isDifference = (figure: string): boolean => figure.endsWith("growth MiB");

export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values.filter((value) => Number.isFinite(value))).toSorted();
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)];
  const above = sorted[Math.ceil(at)];
  return below === undefined || above === undefined ? NaN : below + (above - below) * (at % 1);
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Three significant digits, as the spread of a benchmark allows no more. */
export function format(value: number): string {
  if (!Number.isFinite(value)) return "n/a";
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

/** A Markdown table whose columns also line up for the eye. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, at) => Math.max(3, ...[cell, ...rows.map((row) => row[at] ?? "")].map((text) => text.length)));
  const pad = (text: string, at: number): string => (at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0));
  const line = (cells: readonly string[]): string => `| ${cells.map(pad).join(" | ")} |`;
  const rule = widths.map((width, at) => (at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}
