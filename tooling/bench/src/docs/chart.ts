/** A chart of one group of the table: how many times the floor's cost each takes, as bars on a logarithmic scale. */
import { format, higherIsBetter } from "../figures.ts";
import type { RowResult } from "../table/result.ts";
import { labelOf } from "./labels.ts";

interface Bar {
  name: string;
  /** Times the cost of the floor; less is better. */
  cost: number;
}

const WIDTH = 760;
const LEFT = 150;
const RIGHT = 90;
const BAR = 11;
const STEP = 15;
const TITLE = 22;
const GAP = 10;
const TOP = 34;

/** Always among the bars, where they were measured. */
const SHOWN = ["SDK v1", "SDK v2", "server-filesystem", "server-memory"];

const STYLE = `text{font:12px system-ui,sans-serif;fill:#1f2328}.q{fill:#59636e}.o{fill:#0969da}.p{fill:#9198a1}.g{stroke:#d1d9e0}.f{stroke:#1f2328}
@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.q{fill:#9198a1}.o{fill:#4493f8}.p{fill:#656c76}.g{stroke:#3d444d}.f{stroke:#f0f6fc}}`;

const costOf = (figure: string, ratio: number): number => (higherIsBetter(figure) ? 1 / ratio : ratio);

/** Ours, the best peer, and those that people know. */
function barsOf({ figure, ratio = NaN, peers }: RowResult): Bar[] {
  const others = peers.filter((peer, at) => at === 0 || SHOWN.includes(peer.product));
  return [
    { name: "ours", cost: costOf(figure, ratio) },
    ...others.map(({ product, toFloor = NaN }) => ({ name: product, cost: costOf(figure, toFloor) })),
  ].filter(({ cost }) => Number.isFinite(cost) && cost > 0);
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Powers of ten around all costs, with 1 among them. */
function scaleOf(costs: readonly number[]): { at(cost: number): number; ticks: number[] } {
  const low = Math.min(0, Math.floor(Math.log10(Math.min(...costs)) + 0.3));
  const high = Math.max(1, Math.ceil(Math.log10(Math.max(...costs))));
  const unit = (WIDTH - LEFT - RIGHT) / (high - low);
  const least = 10 ** low;
  const at = (cost: number): number => Math.round((LEFT + (Math.log10(Math.max(cost, least)) - low) * unit) * 10) / 10;
  return { at, ticks: Array.from({ length: high - low + 1 }, (_, step) => 10 ** (low + step)) };
}

/** Undefined where nothing of the group has a floor. */
export function chart(group: string, rows: readonly RowResult[]): string | undefined {
  const labelled = rows.filter(({ floor }) => floor !== undefined).map((row) => ({ label: labelOf(row), bars: barsOf(row) }));
  const drawn = labelled.filter(({ bars }) => bars.length > 0);
  if (drawn.length === 0) return undefined;
  const { at, ticks } = scaleOf(drawn.flatMap(({ bars }) => bars.map(({ cost }) => cost)));
  const parts: string[] = [];
  let y = TOP;
  for (const { label, bars } of drawn) {
    parts.push(`<text x="8" y="${y + 14}">${escaped(label)}</text>`);
    y += TITLE;
    for (const { name, cost } of bars) {
      const [from, to] = [at(1), at(cost)].toSorted((one, other) => one - other) as [number, number]; // two of them
      const width = Math.max(1, Math.round((to - from) * 10) / 10);
      parts.push(
        `<text class="q" x="${LEFT - 8}" y="${y + 10}" text-anchor="end">${escaped(name)}</text>`,
        `<rect class="${name === "ours" ? "o" : "p"}" x="${from}" y="${y}" width="${width}" height="${BAR}"/>`,
        `<text class="q" x="${Math.max(to, at(1)) + 6}" y="${y + 10}">${format(cost)}</text>`,
      );
      y += STEP;
    }
    y += GAP;
  }
  const grid = ticks.map((tick) => {
    const x = at(tick);
    const line = `<line class="${tick === 1 ? "f" : "g"}" x1="${x}" x2="${x}" y1="${TOP - 6}" y2="${y}"/>`;
    return `${line}<text class="q" x="${x}" y="${TOP - 12}" text-anchor="middle">${tick === 1 ? "floor" : `${tick}×`}</text>`;
  });
  const title = `${group}: cost as a multiple of the floor's, shorter is better`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 4}" width="${WIDTH}" height="${y + 4}" role="img">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
${[...grid, ...parts].join("\n")}
</svg>
`;
}
