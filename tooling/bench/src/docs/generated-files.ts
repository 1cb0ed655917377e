/** Generated files: each file that follows from the stored run, with the text that it must have. */
import { existsSync, readFileSync } from "node:fs";
import { inRepository } from "../paths.ts";
import type { Result } from "../table/result.ts";
import { restored } from "../table/store.ts";
import { chart } from "./chart.ts";
import { page, slug } from "./page.ts";
import { readmeBlock } from "./readme.ts";

export const STORED = inRepository("docs/performance.json");

const BEGIN = "<!-- speed beside others, written by tooling/bench -->";
const END = "<!-- end of speed beside others -->";

export const storedResult = (): Result | undefined => (existsSync(STORED) ? restored(readFileSync(STORED, "utf8")) : undefined);

/** By path within the repository. */
export function written(result: Result, readme: string): [file: string, text: string][] {
  const charts = [...Map.groupBy(result.rows, ({ group }) => group)].flatMap(([group, rows]): [string, string][] => {
    const drawn = chart(group, rows);
    return drawn === undefined ? [] : [[group, drawn]];
  });
  return [
    ["docs/performance.md", page(result, new Set(charts.map(([group]) => group)))],
    ...charts.map(([group, svg]): [string, string] => [`docs/performance-${slug(group)}.svg`, svg]),
    ["README.md", between(readme, readmeBlock(result))],
  ];
}

function between(readme: string, text: string): string {
  const from = readme.indexOf(BEGIN);
  const to = readme.indexOf(END);
  if (from === -1 || to < from) throw new Error(`The README lacks the lines ${BEGIN} and ${END}`);
  return `${readme.slice(0, from + BEGIN.length)}\n\n${text}\n\n${readme.slice(to)}`;
}
