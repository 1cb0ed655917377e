// Reads JSON files of other programs: one value, or one on each line.
import { FormatError } from "../../../commands/import-format.ts";
import type { ImportedGraph } from "./imported-graph.ts";

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);

/** A text that is not empty. */
export const textOf = (...values: readonly unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === "string" && value.trim() !== "");

/** The members of a list that are texts; those of a text between commas. */
export function textsOf(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [];
  return items.flatMap((item) => (typeof item === "string" && item.trim() !== "" ? [item.trim()] : []));
}

/** The value of the file. Throws a FormatError with the line of the first fault. */
export function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const line = text.slice(0, faultIn(text)).split("\n").length;
    throw new FormatError(`line ${line} is not JSON`);
  }
}

/** The position of the first character that no JSON value continues with. Only its end is missing up to there. */
function faultIn(text: string): number {
  let [valid, faulty] = [0, text.length];
  while (valid < faulty) {
    const middle = (valid + faulty + 1) >> 1;
    if (isStart(text.slice(0, middle))) valid = middle;
    else faulty = middle - 1;
  }
  return valid;
}

function isStart(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = String(error);
    const position = /at position (\d+)/.exec(message)?.[1];
    return /Unexpected end|Unterminated/.test(message) || (position !== undefined && Number(position) >= text.length);
  }
}

/** Whether the file has an object on each of its first lines, and not one value over several lines. */
export const isJsonLines = (text: string): boolean => {
  const lines = text.split("\n", 3).filter((line) => line.trim() !== "");
  return lines.length > 0 && lines.every((line) => isObject(parseOrUndefined(line)));
};

export function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface Located {
  readonly where: string;
  readonly record: JsonObject;
}

/** The objects of a list; other items are reported. */
export const objectsIn = (list: readonly unknown[], graph: ImportedGraph): Located[] =>
  list.flatMap((record, at) => {
    const where = `record ${at + 1}`;
    if (isObject(record)) return [{ where, record }];
    graph.skip(where, "it is not an object");
    return [];
  });

/** The records of a file with one on each line. */
export function parseLines(text: string, graph: ImportedGraph): Located[] {
  return text.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    const record = parseOrUndefined(line);
    if (isObject(record)) return [{ where: `line ${at + 1}`, record }];
    graph.skip(`line ${at + 1}`, "it is not a JSON object");
    return [];
  });
}

/** Objects around a list, each the `data` of the one before. */
const MAX_WRAPPERS = 10;

/** The lists in which programs put their records. */
export function listIn(value: unknown, keys: readonly string[]): readonly unknown[] | undefined {
  for (let here = value, depth = 0; depth < MAX_WRAPPERS; depth++) {
    if (Array.isArray(here)) return here;
    if (!isObject(here)) return undefined;
    for (const key of keys) if (Array.isArray(here[key])) return here[key];
    here = isObject(here["data"]) ? here["data"] : undefined;
  }
  return undefined;
}
