// A diff as text: git's own patches, or a line for each file; then what was left out, and how to go on.
import type { Diff, DiffFormat } from "./diff.ts";
import type { FileDiff } from "./diff-parser.ts";
import { shown } from "../text/file-names.ts";

export interface Totals {
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
}

export function diffText({ files, omitted, nextCursor, incomplete }: Diff, format: DiffFormat, totals: Totals = totalsOf(files)): string {
  const lines = (): string[] => (format === "stat" ? [...files.map(statLine), totalLine(totals)] : files.map(nameLine));
  const body = format === "patch" ? files.map(({ patch = "" }) => patch).join("") : lines().join("\n");
  const byPath = new Map(files.map((file) => [file.path, file]));
  const left = omitted.map(({ path, reason }) => {
    const file = byPath.get(path);
    const why = reason === "budget" ? "" : `, ${reason}: name it in paths to see it`;
    return `  ${shown(path)} (+${file?.additions ?? 0} -${file?.deletions ?? 0}${why})`;
  });
  const notice = [
    ...(left.length > 0 ? ["[left out:", ...left, "]"] : []),
    ...(nextCursor === undefined ? [] : [`[truncated: go on with cursor ${nextCursor}]`]),
    ...(incomplete ? ["[truncated: there is more than this server reads; name paths]"] : []),
  ];
  return notice.length === 0 ? body : `${body}${body === "" || body.endsWith("\n") ? "" : "\n"}${notice.join("\n")}`;
}

function nameLine({ path, oldPath, status }: FileDiff): string {
  const letter = status === "typechange" ? "T" : status === "unmerged" ? "U" : (status[0] ?? "m").toUpperCase();
  return `${letter}\t${oldPath === undefined ? "" : `${shown(oldPath)} -> `}${shown(path)}`;
}

function statLine({ path, oldPath, additions, deletions, binary }: FileDiff): string {
  const name = oldPath === undefined ? shown(path) : `${shown(oldPath)} => ${shown(path)}`;
  return ` ${name} | ${binary ? "binary" : `+${additions} -${deletions}`}`;
}

export function totalsOf(files: readonly FileDiff[]): Totals {
  let additions = 0;
  let deletions = 0;
  for (const file of files) {
    additions += file.additions;
    deletions += file.deletions;
  }
  return { files: files.length, additions, deletions };
}

function totalLine({ files, additions, deletions }: Totals): string {
  return ` ${files} ${files === 1 ? "file" : "files"} changed, ${additions} insertions(+), ${deletions} deletions(-)`;
}
