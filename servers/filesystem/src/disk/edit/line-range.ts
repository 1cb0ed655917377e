// A range of lines that an edit is limited to.
import { clip } from "@oarlock/domain-kit";
import { DiskError } from "../errors.ts";
import { toLf } from "./lf-view.ts";

/** From 1, both included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** From `120-140`, `120-` or `120`. */
export function parseLineRange(text: string): LineRange {
  const [, from = "", dash, to = ""] = /^\s*(\d{1,15})\s*(?:(-)\s*(\d{0,15})\s*)?$/.exec(text) ?? [];
  const first = Number(from);
  const last = dash === undefined ? first : to === "" ? Number.MAX_SAFE_INTEGER : Number(to);
  if (from === "" || first < 1 || last < first)
    throw new DiskError("invalid", `Invalid lines "${clip(text, 40)}": expected a range from 1 such as 120-140, 120- or 120.`);
  return { first, last };
}

/** The new text of all lines of a range, in their line endings. A line break at the end of the range stays. */
export function replacedLines(lines: string, newText: string): string {
  const lf = toLf(newText);
  const kept = lines.endsWith("\n") && lf !== "" && !lf.endsWith("\n") ? `${lf}\n` : lf;
  const newline = lines.indexOf("\n");
  return newline > 0 && lines[newline - 1] === "\r" ? kept.replaceAll("\n", "\r\n") : kept;
}
