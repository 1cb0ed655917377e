// The JSONL file of a store, as another program reads it.
import { readFileSync } from "node:fs";
import type { Json } from "@oarlock/server-kit/protocol";

/** The parsed lines; throws for a line that is not JSON. */
export function recordsIn(file: string): Json[] {
  const text = readFileSync(file, "utf8");
  if (text !== "" && !text.endsWith("\n")) throw new Error(`no newline at the end of ${file}: ${text.slice(-80)}`);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Json);
}

export const namesIn = (file: string): string[] =>
  recordsIn(file)
    .filter(({ type }) => type === "entity")
    .map(({ name }) => String(name));
