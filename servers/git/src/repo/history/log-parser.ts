// Parses the output of `git log -z` with the commit format, with or without `--numstat`.
import { splitFields, splitRecords } from "../process/nul-records.ts";
import { nameToText } from "../text/file-names.ts";
import { COMMIT_FIELD_COUNT, decodeCommitFields, parseCommit, type Commit } from "./commit-record.ts";

export interface FileStat {
  readonly path: string;
  readonly additions: number;
  readonly deletions: number;
  readonly binary: boolean;
}

export interface LogEntry extends Commit {
  readonly stats?: readonly FileStat[];
  /** The line that a search for changes has found. */
  readonly match?: string;
}

export function parseLog(output: Buffer): LogEntry[] {
  const fields = splitFields(output, decodeCommitFields);
  const entries: LogEntry[] = [];
  for (let at = 0; at + COMMIT_FIELD_COUNT <= fields.length; at += COMMIT_FIELD_COUNT) entries.push(parseCommit(fields, at));
  return entries;
}

const NUMBERS = /^\n?(\d+|-)\t(\d+|-)\t([^]*)$/;
const TAB = 9;

/** The numbers of files stand between the commits. A renamed file has its two names in fields of their own. */
export function parseLogWithStats(output: Buffer): LogEntry[] {
  const records = splitRecords(output);
  const entries: (Commit & { stats: FileStat[] })[] = [];
  let at = 0;
  while (at < records.length) {
    const record = records[at] ?? Buffer.alloc(0);
    const [, added, deleted, name = ""] = NUMBERS.exec(record.toString("latin1")) ?? [];
    const last = entries.at(-1);
    if (added !== undefined && last !== undefined) {
      const isRename = name === "";
      const bytes = isRename ? (records[at + 2] ?? record) : record.subarray(record.indexOf(TAB, record.indexOf(TAB) + 1) + 1);
      last.stats.push({ path: nameToText(bytes), additions: Number(added) || 0, deletions: Number(deleted) || 0, binary: added === "-" });
      at += isRename ? 3 : 1;
    } else {
      entries.push({ ...parseCommit(decodeCommitFields(records.slice(at, at + COMMIT_FIELD_COUNT))), stats: [] });
      at += COMMIT_FIELD_COUNT;
    }
  }
  return entries;
}
