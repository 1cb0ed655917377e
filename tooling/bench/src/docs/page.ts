/** `docs/performance.md`, from a stored run. */
import { markdownTable } from "@oarlock-tooling/test-support/markdown-table";
import { format, higherIsBetter } from "../figures.ts";
import type { Result, RowResult } from "../table/result.ts";
import { labelOf } from "./labels.ts";
import { glance } from "./readme.ts";

export const slug = (group: string): string => group.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

const markdown = (head: readonly string[], rows: readonly (readonly string[])[]): string => markdownTable(head, rows, { numbers: true });

const limit = ({ figure }: RowResult, value: number | undefined): string =>
  value === undefined ? "" : `${higherIsBetter(figure) ? "≥" : "≤"} ${value}`;

function verdictOf({ verdict, stretched, bar, ours }: RowResult): string {
  if (ours === undefined || Number.isNaN(ours)) return "n/a";
  if (bar === undefined) return "";
  return verdict === "met" && stretched === true ? "met, stretch too" : (verdict ?? "missed");
}

const toProduct = (row: RowResult, product: string): string => {
  const peer = row.peers.find((one) => one.product === product);
  return peer === undefined ? "" : format(peer.ours);
};

function mainRow(row: RowResult): string[] {
  const [best] = row.peers;
  return [
    labelOf(row),
    row.floor === undefined ? "" : format(row.floor.value),
    best === undefined ? "none" : `${best.product} ${format(best.value)}`,
    `**${format(row.ours ?? NaN)}**`,
    row.floor === undefined ? "" : format(row.ratio ?? NaN),
    limit(row, row.bar),
    limit(row, row.stretch),
    verdictOf(row),
    best === undefined ? "" : format(best.ours),
    toProduct(row, "SDK v1"),
    toProduct(row, "SDK v2"),
  ];
}

const HEAD = [
  "figure",
  "floor",
  "best peer",
  "ours",
  "ours / floor",
  "bar",
  "stretch",
  "",
  "ours / best peer",
  "ours / SDK v1",
  "ours / SDK v2",
];

/** Removes empty columns. */
function narrow(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const kept = head.map((_, at) => at === 0 || rows.some((row) => (row[at] ?? "") !== ""));
  const keep = (cells: readonly string[]): string[] => cells.filter((_, at) => kept[at]);
  return markdown(keep(head), rows.map(keep));
}

/** The figures of every peer, each with its ratio to the floor. */
function everyPeer(rows: readonly RowResult[]): string {
  const products = [...new Set(rows.flatMap(({ peers }) => peers.map(({ product }) => product)))];
  if (products.length === 0) return "";
  const body = rows.map((row) => [
    labelOf(row),
    ...products.map((product) => {
      const peer = row.peers.find((one) => one.product === product);
      if (peer === undefined) return "";
      return peer.toFloor === undefined ? format(peer.value) : `${format(peer.value)} (${format(peer.toFloor)})`;
    }),
  ]);
  return `<details><summary>Every peer, with the ratio to the floor in brackets</summary>\n\n${markdown(["figure", ...products], body)}\n\n</details>`;
}

function section(group: string, rows: readonly RowResult[], hasChart: boolean): string {
  const notes = rows.flatMap((row) => (row.note === undefined ? [] : [`- ${labelOf(row)}: ${row.note}`]));
  const parts = [
    `## ${group}`,
    hasChart ? `![${group}](performance-${slug(group)}.svg)` : "",
    narrow(HEAD, rows.map(mainRow)),
    notes.join("\n"),
    everyPeer(rows),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** The weak points: rows behind a peer and missed bars. */
function weak(rows: readonly RowResult[]): string {
  const named = (row: RowResult, words: string): string => `- ${row.group}, ${labelOf(row)}: ${words}`;
  const missed = rows.filter(({ verdict }) => verdict === "missed");
  const beside = rows.flatMap((row) => row.peers.filter(({ verdict }) => verdict === "missed").map((peer) => ({ row, peer })));
  const behind = rows.filter((row) => row.behind.length > 0);
  const list = (words: string, lines: readonly string[], none: string): string =>
    lines.length === 0 ? none : `${words}\n\n${lines.join("\n")}`;
  const folded = (words: string, lines: readonly string[], none: string): string =>
    lines.length === 0 ? none : `<details><summary>${words} (${lines.length})</summary>\n\n${lines.join("\n")}\n\n</details>`;
  return [
    "## Where it is behind",
    list(
      "Rows behind a peer:",
      // A figure may be in two rows, with two floors.
      [...new Set(behind.map((row) => named(row, `behind ${row.behind.join(", ")}`)))],
      "No row is behind any peer.",
    ),
    folded(
      "Missed bars, which the project set for itself",
      missed.map((row) => named(row, `${format(row.ratio ?? NaN)}, bar ${limit(row, row.bar)}`)),
      "Every bar is met.",
    ),
    folded(
      "Missed bars against single peers",
      beside.map(({ row, peer }) => named(row, `${format(peer.ours)} of ${peer.product}, bar ${limit(row, peer.limit)}`)),
      "Every bar against a single peer is met.",
    ),
  ].join("\n\n");
}

export function page({ at, command, machine, versions, seconds, rows, problems }: Result, charts: ReadonlySet<string>): string {
  const groups = Map.groupBy(rows, ({ group }) => group);
  const sections = [...groups].map(([group, members]) => section(group, members, charts.has(group)));
  const failed = problems.length === 0 ? [] : ["## Failed measurements", problems.join("\n")];
  return `${[
    "# Performance",
    "<!-- written by `pnpm bench:docs` from performance.json, which `pnpm bench:report` stores -->",
    `Measured on ${at} with \`${command}\`, every table in one run: ${machine.cores} × ${machine.cpu}, ${machine.memoryGiB} GiB, Node ${machine.node.slice(1)} for every server. It took ${Math.round(seconds / 60)} minutes.`,
    "## At a glance",
    glance(rows),
    "## How it is measured",
    "Times depend on the machine, ratios hardly do: each round measures all targets in turn, and a ratio is the median of the ratios of the rounds. For growth, which can be near zero in one round, it is the ratio of the medians. The floor is the least possible work: a bare loop of `JSON.parse` and `JSON.stringify`, the most direct call of `node:fs`, the git command itself. It validates nothing, so it is not a usable server. `SDK v1` and `SDK v2` are `McpServer` of the two generations of the official SDK. [tooling/bench](../tooling/bench/README.md) explains each figure. The charts show the cost as a multiple of the floor on a logarithmic scale: shorter is better.",
    weak(rows),
    ...sections,
    ...failed,
    "## Versions",
    markdown(["package", "version"], Object.entries(versions)),
    "## Repeat the measurement",
    "```sh\npnpm install && pnpm build\npnpm bench:peers    # installs the peers from their lock-files, half a gigabyte\npnpm bench:report   # about twenty minutes, on an idle machine\npnpm bench:quick    # a few rows beside the floor, in less than a minute\n```",
    '`pnpm bench:report --suite start` measures the rows of one suite, `--store docs/performance.json` stores a run for this page. To compare a server of your own: `pnpm bench stdio --target ours --cmd "mine=node mine.js"`.',
  ].join("\n\n")}\n`;
}
