// Draws the data of a chart on a canvas by uPlot. The table beside it has the same data.
import "./browser-language.ts";
import uPlot from "uplot";
import type { ChartData } from "./chart-data.ts";

const HEIGHT_PX = 300;
/** Steps between the labels of an axis of names. */
const LABEL_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** Draws into an empty element. `read` gets the index of the point under the pointer. */
export function drawChart(place: HTMLElement, data: ChartData, read: (index: number | undefined) => void): uPlot {
  const { kind, xs, ys, labels, isTime, step = 1 } = data;
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => resolveColor(style.getPropertyValue(name), place);
  const [accent, text, line] = [color("--accent"), color("--text"), color("--line")];
  const hasBars = kind === "bar" || kind === "histogram";
  const axis: uPlot.Axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  const names: uPlot.Axis =
    labels === undefined ? {} : { incrs: LABEL_STEPS, space: 70, values: (_, splits) => splits.map((at) => labels[at] ?? "") };
  return new uPlot(
    {
      width: place.clientWidth || 600,
      height: HEIGHT_PX,
      legend: { show: false },
      cursor: { points: { size: 8 } },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      scales: {
        x: { time: isTime, ...(hasBars && { range: (_, low, high) => [low - step / 2, high + step / 2] }) },
        y: hasBars ? { range: (_, low, high) => [Math.min(0, low), Math.max(0, high) * 1.05 || 1] } : {},
      },
      axes: [
        { ...axis, ...names },
        { ...axis, size: 64 },
      ],
      series: [{}, { stroke: accent, width: 2, ...seriesOf(kind, accent) }],
      hooks: { setCursor: [({ cursor }) => read(cursor.idx ?? undefined)] },
    },
    [xs as number[], ys as number[]], // uPlot changes neither
    place,
  );
}

function seriesOf(kind: ChartData["kind"], accent: string): Partial<uPlot.Series> {
  const { bars } = uPlot.paths;
  if (kind === "scatter") return { paths: () => null, points: { show: true, size: 5, fill: accent, width: 0 } };
  if (kind === "line" || bars === undefined) return {};
  return { fill: accent, width: 0, paths: bars({ size: [kind === "bar" ? 0.8 : 0.98, 80] }), points: { show: false } };
}

/** A canvas knows no `light-dark()` and no variables. */
function resolveColor(value: string, place: HTMLElement): string {
  const probe = document.createElement("span");
  probe.style.color = value;
  place.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
