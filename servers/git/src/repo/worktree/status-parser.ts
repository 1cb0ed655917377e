// Parses `git status --porcelain=v2 -z`.
import { splitRecords } from "../process/nul-records.ts";
import { nameToText } from "../text/file-names.ts";
import type { Operation } from "./operation.ts";

/** In git's words. */
export type SubmoduleChange = "new commits" | "modified content" | "untracked content";

export interface Change {
  readonly path: string;
  readonly status: string;
  /** The name before a rename or copy. */
  readonly oldPath?: string;
  /** What has changed in it, where the path is a submodule. */
  readonly submodule?: readonly SubmoduleChange[];
}

export interface Status {
  /** Undefined where HEAD is detached. */
  readonly branch: string | undefined;
  /** The commit at HEAD; undefined before the first one. */
  readonly head: string | undefined;
  readonly upstream: string | undefined;
  /** Undefined without an upstream, or where it is gone. */
  readonly ahead: number | undefined;
  readonly behind: number | undefined;
  readonly staged: Change[];
  readonly unstaged: Change[];
  readonly untracked: string[];
  readonly conflicts: Change[];
  readonly operation: Operation | undefined;
  readonly stashCount: number;
  /** Entries beyond the limit, which are counted and not listed. */
  readonly omitted: number;
  /** Submodules that were not looked into, as they cannot be opened safely. */
  readonly uninspected: string[];
}

export type MutableStatus = { -readonly [K in keyof Status]: Status[K] };

const SUBMODULE = "S".charCodeAt(0);
const OTHER_COMMIT = "C".charCodeAt(0);

const STATUS_WORDS: Readonly<Record<string, string>> = {
  M: "modified",
  T: "typechange",
  A: "added",
  D: "deleted",
  R: "renamed",
  C: "copied",
};
const CONFLICT_WORDS: Readonly<Record<string, string>> = {
  DD: "both deleted",
  AU: "added by us",
  UD: "deleted by them",
  UA: "added by them",
  DU: "deleted by us",
  AA: "both added",
  UU: "both modified",
};

/** `limit`: how many entries to list; the others are counted. */
export function parseStatus(output: Buffer, operation: Operation | undefined, limit: number): MutableStatus {
  const status: MutableStatus = {
    branch: undefined,
    head: undefined,
    upstream: undefined,
    ahead: undefined,
    behind: undefined,
    staged: [],
    unstaged: [],
    untracked: [],
    conflicts: [],
    operation,
    stashCount: 0,
    omitted: 0,
    uninspected: [],
  };
  const records = splitRecords(output);
  let listed = 0;
  for (let at = 0; at < records.length; at++) {
    const record = records[at] ?? Buffer.alloc(0);
    const kind = String.fromCharCode(record[0] ?? 0);
    if (kind === "#") {
      readHeader(status, nameToText(record));
      continue;
    }
    // The old name of a rename has a record of its own.
    const oldName = kind === "2" ? records[++at] : undefined;
    if (listed >= limit) status.omitted++;
    else {
      listed++;
      addEntry(status, kind, record, oldName);
    }
  }
  return status;
}

function readHeader(status: MutableStatus, line: string): void {
  const [, name, value = ""] = /^# (\S+) (.*)$/s.exec(line) ?? [];
  if (name === "branch.oid") status.head = value === "(initial)" ? undefined : value;
  else if (name === "branch.head") status.branch = value === "(detached)" ? undefined : value;
  else if (name === "branch.upstream") status.upstream = value;
  else if (name === "stash") status.stashCount = Number(value);
  else if (name === "branch.ab") {
    const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(value) ?? [];
    status.ahead = Number(ahead);
    status.behind = Number(behind);
  }
}

function addEntry(status: MutableStatus, kind: string, record: Buffer, oldName: Buffer | undefined): void {
  if (kind === "?") status.untracked.push(nameToText(record.subarray(2)));
  else if (kind === "u") {
    const sides = record.toString("latin1", 2, 4);
    status.conflicts.push({ path: nameToText(afterFields(record, 10)), status: CONFLICT_WORDS[sides] ?? "unmerged" });
  } else if (kind === "1" || kind === "2") {
    const path = nameToText(afterFields(record, kind === "2" ? 9 : 8));
    const oldPath = oldName && nameToText(oldName);
    addChange(status.staged, record[2], path, oldPath);
    addChange(status.unstaged, record[3], path, oldPath);
    // `1 .M SC.. …`: a submodule at another commit.
    const last = status.unstaged.at(-1);
    if (record[5] === SUBMODULE && record[6] === OTHER_COMMIT && last?.path === path)
      status.unstaged.splice(-1, 1, { ...last, submodule: ["new commits"] });
  }
}

/** The rest of a record after a number of fields. */
function afterFields(record: Buffer, count: number): Buffer {
  let from = 0;
  for (let field = 0; field < count; field++) from = record.indexOf(0x20, from) + 1;
  return record.subarray(from);
}

function addChange(list: Change[], code: number | undefined, path: string, oldPath: string | undefined): void {
  const letter = String.fromCharCode(code ?? 0x2e);
  if (letter === ".") return;
  const isMove = oldPath !== undefined && (letter === "R" || letter === "C");
  list.push({ path, status: STATUS_WORDS[letter] ?? letter, ...(isMove && { oldPath }) });
}
