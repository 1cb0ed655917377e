// Settings diff: the lines that change in the settings of a host, without secrets.
import { escapeControls } from "@oarlock/domain-kit";
import { redact } from "../redaction.ts";

/** Removed and added lines between the first and the last difference. `undefined`: no file. */
export function settingsDiff(path: string, before: string | undefined, after: string | undefined): string {
  const [old, current] = [linesOf(before), linesOf(after)];
  const same = (one: string | undefined, other: string | undefined): boolean => one !== undefined && one === other;
  let start = 0;
  while (same(old[start], current[start])) start++;
  let end = 0;
  while (end < Math.min(old.length, current.length) - start && same(old.at(-1 - end), current.at(-1 - end))) end++;
  const changed = (mark: string, lines: readonly string[]): string[] =>
    lines.slice(start, lines.length - end).map((line) => `${mark}${escapeControls(redact(line.replace(/\r$/, "")))}`);
  const name = escapeControls(path);
  const heads = [`--- ${before === undefined ? "no file" : name}`, `+++ ${after === undefined ? "no file" : name}`];
  return `${[...heads, `@@ line ${start + 1} @@`, ...changed("-", old), ...changed("+", current)].join("\n")}\n`;
}

const linesOf = (text: string | undefined): string[] => (text === undefined ? [] : text.replace(/\n$/, "").split("\n"));
