// A diff as text: git's own patches, or a line for each file; then what was left out, and how to continue.
import { counted, escapeControls, takeWithin } from "@oarlock/domain-kit";
import type { Diff, DiffFormat } from "./diff.ts";
import { totalsOf, type DiffTotals, type FileDiff } from "./file-diff.ts";

export interface DiffTextOptions {
  /** Those of all files, where the diff holds only some of them. */
  readonly totals?: DiffTotals;
  /** Bytes of the list of files that were left out; the others are counted. Default: all are named. */
  readonly maxListBytes?: number;
}

export function diffText(diff: Diff, format: DiffFormat, options: DiffTextOptions = {}): string {
  const { totals = totalsOf(diff.files), maxListBytes = Infinity } = options;
  const body = bodyOf(diff.files, format, totals);
  const notices = noticesOf(diff, maxListBytes);
  return notices.length === 0 ? body : `${body}${body === "" || body.endsWith("\n") ? "" : "\n"}${notices.join("\n")}`;
}

function bodyOf(files: readonly FileDiff[], format: DiffFormat, totals: DiffTotals): string {
  if (format === "patch") return files.map(({ patch = "" }) => patch).join("");
  if (format === "sizes") return files.map(sizeLine).join("\n");
  return format === "stat" ? [...files.map(statLine), totalLine(totals)].join("\n") : files.map(nameLine).join("\n");
}

function noticesOf({ files, omitted, nextCursor, isIncomplete }: Diff, maxListBytes: number): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const lines = omitted.map(({ path, reason }) => {
    const { additions = 0, deletions = 0 } = byPath.get(path) ?? {};
    const why = reason === "budget" ? "" : `, ${reason}: name it in paths to see it`;
    return `  ${escapeControls(path)} (+${additions} -${deletions}${why})`;
  });
  const named = takeWithin(lines, maxListBytes, (line) => Buffer.byteLength(line) + 1);
  const isPart = named.length < lines.length;
  if (isPart) named.push(`  … and ${counted(lines.length - named.length, "more file")}: continue with the cursor, or name paths`);
  return [
    ...(named.length > 0 ? ["[left out:", ...named, "]"] : []),
    ...(nextCursor === undefined ? [] : ["[truncated: git_diff or git_show has the rest, in pages]"]),
    ...(isIncomplete ? ["[truncated: the diff is larger than this server reads; name paths]"] : []),
  ];
}

function nameLine({ path, oldPath, status }: FileDiff): string {
  const letter = status === "typechange" ? "T" : status === "unmerged" ? "U" : (status[0] ?? "m").toUpperCase();
  return `${letter}\t${oldPath === undefined ? "" : `${escapeControls(oldPath)} -> `}${escapeControls(path)}`;
}

const nameOf = ({ path, oldPath }: FileDiff): string =>
  oldPath === undefined ? escapeControls(path) : `${escapeControls(oldPath)} => ${escapeControls(path)}`;

/** ` a.txt | 12 -> 345 bytes` */
function sizeLine(file: FileDiff): string {
  const size = (bytes: number | undefined): string => (bytes === undefined ? "none" : String(bytes));
  const isSame = file.oldSize === file.size;
  return ` ${nameOf(file)} | ${isSame ? "" : `${size(file.oldSize)} -> `}${size(file.size)} bytes`;
}

const statLine = (file: FileDiff): string => ` ${nameOf(file)} | ${file.binary ? "binary" : `+${file.additions} -${file.deletions}`}`;

const totalLine = ({ files, additions, deletions }: DiffTotals): string =>
  ` ${counted(files, "file")} changed, ${additions} insertions(+), ${deletions} deletions(-)`;
