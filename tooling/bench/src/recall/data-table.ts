// Reads the data of the recall benchmarks, from `data/`.
import { readFileSync } from "node:fs";

export const readData = (name: string): string => readFileSync(new URL(`../../data/${name}`, import.meta.url), "utf8").trimEnd();

/** Rows of a table without its head. */
export const readTable = (name: string): string[][] =>
  readData(name)
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"));

/** Rows of a table by the names of its columns. */
export function readRecords(name: string): Record<string, string>[] {
  const columns = readData(name).split("\n")[0]?.split("\t") ?? [];
  return readTable(name).map((cells) => Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ""])));
}
