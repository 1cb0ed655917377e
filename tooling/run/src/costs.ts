/**
 * The stored table of what test files cost, in seconds of processor time and of wall time: `costs.tsv` beside this folder. It names each file of a
 * second and more, and the sum of each area. A run is printed beside it; `npm run test:all -- --store-costs` stores its figures.
 */
import { readFileSync, writeFileSync } from "node:fs";
import type { FileRecord } from "./records.ts";

const TABLE = new URL("../costs.tsv", import.meta.url);
const HEAD = "project\tpath\tseconds\twall";
/** Shorter and cheaper files are not named. */
const NAMED_FROM_SECONDS = 1;

/** Path of a file, or area and project such as `servers/git fast` → seconds. */
export type Costs = ReadonlyMap<string, number>;

export const readCosts = (): Costs =>
  new Map(readTable().map(([project = "", path = "", seconds]) => [keyOf(project, path), Number(seconds)]));

/** Path of a file → seconds of wall time in a whole run, which tell the order: many deep files mostly wait. */
export const readWallTimes = (): ReadonlyMap<string, number> =>
  new Map(readTable().map(([, path = "", , wall]) => [path, Number(wall ?? 0)]));

function readTable(): string[][] {
  const [, ...lines] = readFileSync(TABLE, "utf8").trimEnd().split("\n");
  return lines.map((line) => line.split("\t"));
}

/** Files have one project by their names; areas have several. */
const keyOf = (project: string, path: string): string => (path.endsWith(".ts") ? path : `${path} ${project}`);

/** The package, server or tool that a file belongs to. */
export const areaOf = (file: string): string => file.split("/").slice(0, 2).join("/");

export interface AreaCost {
  readonly area: string;
  readonly project: string;
  readonly files: number;
  readonly tests: number;
  readonly seconds: number;
}

/** The sums of each area in each project, most expensive first. */
export function costsByArea(files: readonly FileRecord[]): AreaCost[] {
  const groups = Map.groupBy(files, ({ file, project }) => `${areaOf(file)}\t${project}`);
  return [...groups]
    .map(([key, records]): AreaCost => {
      const [area = "", project = ""] = key.split("\t");
      const sum = (of: (record: FileRecord) => number): number => records.reduce((total, record) => total + of(record), 0);
      return { area, project, files: records.length, tests: sum(({ passed }) => passed), seconds: sum(({ cpuSeconds = 0 }) => cpuSeconds) };
    })
    .sort((a, b) => b.seconds - a.seconds);
}

export const costliestFirst = (files: readonly FileRecord[]): FileRecord[] =>
  files.toSorted((a, b) => (b.cpuSeconds ?? 0) - (a.cpuSeconds ?? 0));

export function storeCosts(files: readonly FileRecord[]): void {
  const areas = costsByArea(files).map(({ area, project, seconds }) => [project, area, seconds.toFixed(0)]);
  const named = costliestFirst(files)
    .filter(({ cpuSeconds = 0, wallSeconds = 0 }) => Math.max(cpuSeconds, wallSeconds) >= NAMED_FROM_SECONDS)
    .map(({ file, project, cpuSeconds = 0, wallSeconds = 0 }) => [project, file, cpuSeconds.toFixed(1), wallSeconds.toFixed(1)]);
  writeFileSync(TABLE, `${[HEAD, ...[...areas, ...named].map((cells) => cells.join("\t"))].join("\n")}\n`);
}
