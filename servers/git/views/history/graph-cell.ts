// The part of the commit graph beside one row.
import { svg } from "@oarlock/extensions/page";
import type { GraphRow } from "./lanes.ts";

export const ROW_HEIGHT = 28;
const LANE_WIDTH = 14;
/** Further lanes are drawn on the last one. */
const MAX_LANES = 12;
const COLORS = 6;

const position = (lane: number): number => (Math.min(lane, MAX_LANES - 1) + 0.5) * LANE_WIDTH;
const color = (lane: number): string => `lane-${lane % COLORS}`;

/** The number of lanes that rows need, at most the bound. */
export const lanesOf = (rows: readonly GraphRow[]): number =>
  rows.reduce((most, { lane, edges }) => Math.min(MAX_LANES, Math.max(most, lane + 1, ...edges.map(({ to }) => to + 1))), 1);

/** Lines come from `above`, the row before; the dot is the commit. Who cannot see it finds the parents in the details of a commit. */
export function graphCell(row: GraphRow, above: GraphRow | undefined, lanes: number): SVGSVGElement {
  const middle = ROW_HEIGHT / 2;
  const cell = svg("svg", { class: "graph", width: lanes * LANE_WIDTH, height: ROW_HEIGHT, "aria-hidden": "true" });
  for (const { from, to, lane } of above?.edges ?? []) cell.append(curve(lane, [position(from), -middle], [position(to), middle]));
  for (const { from, to, lane } of row.edges) cell.append(curve(lane, [position(from), middle], [position(to), middle + ROW_HEIGHT]));
  cell.append(svg("circle", { class: color(row.lane), cx: position(row.lane), cy: middle, r: 4 }));
  return cell;
}

type Point = readonly [x: number, y: number];

function curve(lane: number, [x, y]: Point, [toX, toY]: Point): SVGPathElement {
  const half = (y + toY) / 2;
  return svg("path", { class: color(lane), d: x === toX ? `M${x} ${y}V${toY}` : `M${x} ${y}C${x} ${half} ${toX} ${half} ${toX} ${toY}` });
}
