// The status of the work tree, from `git status`. git looks at one repository at a time: a git that enters submodules by itself would
// read configuration that nothing has checked, so each submodule is opened and checked like any other repository.
import { linesOf } from "../refs/ref-list.ts";
import type { Repository, Submodule } from "../repository.ts";
import { ignoredChanges } from "./entries/ignored-submodules.ts";
import { currentOperation } from "./operation.ts";
import { parseStatus, type Change, type MutableStatus, type Status, type SubmoduleChange } from "./status-parser.ts";

export interface SubmoduleStatus {
  readonly path: string;
  /** Undefined for a submodule that cannot be opened safely. */
  readonly changes: readonly SubmoduleChange[] | undefined;
}

const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
const STATUS: readonly string[] = [
  "status",
  "--porcelain=v2",
  "-z",
  "--branch",
  "--show-stash",
  "--untracked-files=normal",
  "--ignore-submodules=dirty",
  "--ahead-behind",
];
const MAX_SUBMODULE_ENTRIES = 100_000;
const MAX_DEPTH = 8;

/** `limit`: how many entries to list; the others are counted. `depth`: how many submodules lie around this one. */
export async function readStatus(repository: Repository, limit: number, signal?: AbortSignal, depth = 0): Promise<Status> {
  repository.requireWorkTree();
  const submodules = await repository.openSubmodules(signal);
  const command = { args: STATUS, signal, maxBytes: MAX_OUTPUT_BYTES };
  const { stdout } = await repository.readWorkTree(command, submodules);
  const status = parseStatus(stdout, currentOperation(repository), limit);
  // git takes a damaged ref for a branch without commits, and all files for new.
  if (status.head === undefined) await repository.headCommit(signal);
  addSubmodules(status, await changedSubmodules(submodules, signal, depth), limit);
  if (status.unstaged.some(({ submodule }) => submodule !== undefined)) hideIgnored(status, await ignoredChanges(repository, signal));
  if (status.branch !== "(null)") return status;
  // git prints this where HEAD names a ref that is not a branch, such as a tag.
  const { stdout: ref } = await repository.read({ args: ["symbolic-ref", "HEAD"], signal });
  const [branch = ""] = linesOf(ref);
  return { ...status, branch: branch.replace(/^refs\/heads\//, "") };
}

/** Submodules that hold changes, and those that cannot be looked into. New commits are not among the changes. */
export async function readSubmodules(repository: Repository, signal?: AbortSignal): Promise<SubmoduleStatus[]> {
  const found = await changedSubmodules(await repository.openSubmodules(signal), signal, 0);
  if (found.length === 0) return found;
  const ignored = await ignoredChanges(repository, signal);
  return found
    .map(({ path, changes }) => ({ path, changes: changes?.filter((change) => ignored.get(path)?.includes(change) !== true) }))
    .filter(({ changes }) => changes?.length !== 0);
}

function hideIgnored(status: MutableStatus, ignored: ReadonlyMap<string, readonly SubmoduleChange[]>): void {
  status.unstaged = status.unstaged.flatMap((change) => {
    const hidden = change.submodule === undefined ? undefined : ignored.get(change.path);
    if (hidden === undefined || hidden.length === 0) return [change];
    const submodule = change.submodule?.filter((one) => !hidden.includes(one)) ?? [];
    return submodule.length === 0 ? [] : [{ ...change, submodule }];
  });
}

async function changedSubmodules(
  submodules: readonly Submodule[],
  signal: AbortSignal | undefined,
  depth: number,
): Promise<SubmoduleStatus[]> {
  const found: SubmoduleStatus[] = [];
  for (const { path, repository: inner } of submodules) {
    const changes = inner === undefined || depth >= MAX_DEPTH ? undefined : await changesInside(inner, signal, depth + 1);
    if (changes?.length !== 0) found.push({ path, changes });
  }
  return found;
}

async function changesInside(inner: Repository, signal: AbortSignal | undefined, depth: number): Promise<SubmoduleChange[] | undefined> {
  const status = await readStatus(inner, MAX_SUBMODULE_ENTRIES, signal, depth);
  if (status.uninspected.length > 0) return undefined;
  const { staged, unstaged, conflicts, untracked } = status;
  const isUntrackedOnly = ({ submodule }: Change): boolean => submodule?.length === 1 && submodule[0] === "untracked content";
  const changed = [...staged, ...unstaged.filter((change) => !isUntrackedOnly(change)), ...conflicts];
  return [
    ...(changed.length > 0 ? (["modified content"] as const) : []),
    ...(untracked.length > 0 || unstaged.some(isUntrackedOnly) ? (["untracked content"] as const) : []),
  ];
}

/** Adds what git leaves out with `--ignore-submodules=dirty`. */
function addSubmodules(status: MutableStatus, submodules: readonly SubmoduleStatus[], limit: number): void {
  for (const { path, changes } of submodules) {
    const at = status.unstaged.findIndex((change) => change.path === path);
    const listed = status.unstaged[at];
    if (changes === undefined) status.uninspected.push(path);
    else if (listed !== undefined) status.unstaged[at] = { ...listed, submodule: [...(listed.submodule ?? []), ...changes] };
    else if (countListed(status) >= limit) status.omitted++;
    else status.unstaged.push({ path, status: "modified", submodule: changes });
  }
  if (submodules.length > 0) status.unstaged.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const countListed = ({ staged, unstaged, untracked, conflicts }: Status): number =>
  staged.length + unstaged.length + untracked.length + conflicts.length;
