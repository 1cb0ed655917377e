/** Reads an audit file. */
import { readFileSync } from "node:fs";

export function auditLines(path: string): Record<string, unknown>[] {
  const text = readFileSync(path, "utf8").trimEnd();
  return text === "" ? [] : text.split("\n").map((line) => JSON.parse(line) as Record<string, unknown>);
}
