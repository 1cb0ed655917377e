// The commits at which a history begins, by ids: of a revision or range, or of all branches and tags.
import { listRefs } from "../refs/ref-list.ts";
import { resolveCommit } from "../refs/revision-resolver.ts";
import { parseRange } from "../refs/revision-syntax.ts";
import type { Repository } from "../repository.ts";

export interface LogTips {
  /** Ids to start from and, with ^, to leave out. */
  readonly ids: readonly string[];
  /** Refs without an object, whose history is left out. */
  readonly broken: readonly string[];
}

/** The commits of all refs and of HEAD. */
export async function allTips(repository: Repository, signal?: AbortSignal): Promise<LogTips> {
  const { lines, broken } = await listRefs(
    repository,
    ["--format=%(objecttype) %(*objecttype) %(objectname) %(*objectname)"],
    ["refs/heads/", "refs/remotes/", "refs/tags/"],
    signal,
  );
  const head = await repository.headCommit(signal);
  const commits = lines.flatMap((line) => {
    const [type, peeledType, id = "", peeled = ""] = line.split(" ");
    return type === "commit" ? id : peeledType === "commit" ? peeled : [];
  });
  return { ids: [...new Set([...(head === undefined ? [] : [head]), ...commits])], broken };
}

/** Ids to start from and, with ^, to leave out. Empty before the first commit. */
export async function tipsOf(repository: Repository, revision: string, signal?: AbortSignal): Promise<string[]> {
  if (revision === "HEAD") {
    const head = await repository.headCommit(signal);
    return head === undefined ? [] : [head];
  }
  const range = parseRange(revision);
  if (range === undefined) return [await resolveCommit(repository, revision, signal)];
  const [from, to] = await Promise.all([resolveCommit(repository, range.from, signal), resolveCommit(repository, range.to, signal)]);
  return range.isSymmetric ? [`${from}...${to}`] : [to, `^${from}`];
}
