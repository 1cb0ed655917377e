// The state of the work tree, from one `git status --porcelain=v2 -z`.
import { nameOf } from "../text/file-names.ts";
import { records } from "../process/nul-records.ts";
import { operationOf, type Operation } from "./operation.ts";
import type { Repository } from "../repository.ts";

export interface Change {
  readonly path: string;
  readonly status: string;
  readonly oldPath?: string;
}

export interface Status {
  readonly branch: string | undefined;
  /** The commit at HEAD; undefined before the first one. */
  readonly head: string | undefined;
  readonly upstream: string | undefined;
  /** Undefined without an upstream, or where that is gone. */
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
}

const WORDS: Readonly<Record<string, string>> = {
  M: "modified",
  T: "typechange",
  A: "added",
  D: "deleted",
  R: "renamed",
  C: "copied",
};
const CONFLICTS: Readonly<Record<string, string>> = {
  DD: "both deleted",
  AU: "added by us",
  UD: "deleted by them",
  UA: "added by them",
  DU: "deleted by us",
  AA: "both added",
  UU: "both modified",
};

export async function statusOf(repository: Repository, limit: number, signal?: AbortSignal): Promise<Status> {
  repository.needsWorkTree();
  const { stdout } = await repository.run({
    args: [
      "status",
      "--porcelain=v2",
      "-z",
      "--branch",
      "--show-stash",
      "--untracked-files=normal",
      "--ignore-submodules=dirty",
      "--ahead-behind",
    ],
    signal,
    maxBytes: 256 * 1024 * 1024,
  });
  const status = parseStatus(stdout, operationOf(repository), limit);
  if (status.branch !== "(null)") return status;
  // So git writes it where HEAD names what is no branch, such as a tag.
  const { stdout: ref } = await repository.run({ args: ["symbolic-ref", "HEAD"], signal });
  return {
    ...status,
    branch: ref
      .toString()
      .trimEnd()
      .replace(/^refs\/heads\//, ""),
  };
}

type Mutable = { -readonly [K in keyof Status]: Status[K] };

export function parseStatus(output: Buffer, operation: Operation | undefined, limit: number): Status {
  const status: Mutable = {
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
  };
  const all = records(output);
  let listed = 0;
  for (let at = 0; at < all.length; at++) {
    const record = all[at] ?? Buffer.alloc(0);
    const kind = record[0];
    if (kind === 0x23) {
      header(status, record.toString());
      continue;
    }
    const renamed = kind === 0x32;
    if (renamed) at++;
    if (listed >= limit) {
      status.omitted++;
      continue;
    }
    listed++;
    if (kind === 0x3f) status.untracked.push(nameOf(record.subarray(2)));
    else if (kind === 0x75)
      status.conflicts.push({ path: nameOf(after(record, 10)), status: CONFLICTS[record.toString("latin1", 2, 4)] ?? "unmerged" });
    else if (kind === 0x31 || renamed) {
      const path = nameOf(after(record, renamed ? 9 : 8));
      const oldPath = renamed ? nameOf(all[at] ?? Buffer.alloc(0)) : undefined;
      changed(status.staged, record[2], path, oldPath);
      changed(status.unstaged, record[3], path, oldPath);
    }
  }
  return status;
}

function header(status: Mutable, line: string): void {
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

/** What stands behind so many fields. */
function after(record: Buffer, fields: number): Buffer {
  let from = 0;
  for (let field = 0; field < fields; field++) from = record.indexOf(0x20, from) + 1;
  return record.subarray(from);
}

function changed(list: Change[], letter: number | undefined, path: string, oldPath: string | undefined): void {
  const code = String.fromCharCode(letter ?? 0x2e);
  if (code === ".") return;
  list.push({ path, status: WORDS[code] ?? code, ...(oldPath !== undefined && (code === "R" || code === "C") && { oldPath }) });
}
