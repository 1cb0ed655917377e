// git:///{repo}/commit/{revision} and git:///{repo}/diff/{range}: commits with their changes, and changes between revisions.
import { template } from "@oarlock/server-kit";
import { completeRange, completeRepository, completeRevision } from "../completion.ts";
import type { Dependencies } from "../dependencies.ts";
import { readCommitDiff } from "../repo/diff/commit-diff.ts";
import { diffText } from "../repo/diff/diff-text.ts";
import { readDiff, type DiffPageOptions } from "../repo/diff/diff.ts";
import { GitError } from "../repo/errors.ts";
import { commitText } from "../repo/history/commit-record.ts";
import { resolveCommit } from "../repo/refs/revision-resolver.ts";
import { isFullId, parseRange } from "../repo/refs/revision-syntax.ts";
import type { Repository } from "../repo/repository.ts";
import { truncateWithNotice } from "../repo/text/output-budget.ts";
import { patchBudget } from "../tools/diff-reply.ts";
import { matchName } from "./address.ts";
import { IMMUTABLE, readFrom, RESERVED_BYTES } from "./repository-access.ts";

/** Resources have no pages, so they hold more than a page of a tool. */
const MAX_PATCH_BYTES = 1_000_000;

const pageOptions = (deps: Dependencies, signal: AbortSignal): DiffPageOptions => ({
  contextLines: 3,
  format: "patch",
  ...patchBudget(deps, MAX_PATCH_BYTES),
  signal,
});

export const commit = (deps: Dependencies) =>
  template({
    uri: "git:///{repo}/commit/{revision}",
    name: "commit",
    title: "Commit",
    description: "A commit with its changes.",
    mimeType: "text/plain",
    match: matchName("commit", "revision"),
    cache: ({ revision }) => (isFullId(revision) ? IMMUTABLE : {}),
    complete: { repo: completeRepository(deps), revision: completeRevision(deps) },
    read: ({ repo, revision }, ctx, uri) =>
      readFrom(deps, { repo, uri }, ctx, async (repository) => {
        const hash = await resolveCommit(repository, revision, ctx.signal);
        const { commit: record, diff: changes } = await readCommitDiff(repository, hash, pageOptions(deps, ctx.signal));
        return truncateWithNotice(`${commitText(record)}\n${diffText(changes, "patch")}`, deps.maxResultBytes - RESERVED_BYTES);
      }),
  });

export const diff = (deps: Dependencies) =>
  template({
    uri: "git:///{repo}/diff/{range}",
    name: "diff",
    title: "Changes between revisions",
    description: "Changes from one revision to another: a..b, or a...b from the merge base; or staged, or unstaged.",
    mimeType: "text/x-diff",
    match: matchName("diff", "range"),
    cache({ range }) {
      const ends = parseRange(range);
      return ends !== undefined && isFullId(ends.from) && isFullId(ends.to) ? IMMUTABLE : {};
    },
    complete: { repo: completeRepository(deps), range: completeRange(deps) },
    read: ({ repo, range }, ctx, uri) =>
      readFrom(deps, { repo, uri }, ctx, async (repository) => {
        const compare = await comparisonOf(repository, range, ctx.signal);
        const changes = await readDiff(repository, { compare, paths: [], ...pageOptions(deps, ctx.signal) });
        return truncateWithNotice(diffText(changes, "patch"), deps.maxResultBytes - RESERVED_BYTES);
      }),
  });

/** The git command for a range, or for uncommitted changes (`staged`, `unstaged`). */
async function comparisonOf(repository: Repository, range: string, signal: AbortSignal): Promise<string[]> {
  if (range === "staged") return ["diff", "--cached"];
  if (range === "unstaged") return ["diff"];
  const ends = parseRange(range);
  if (ends === undefined) throw new GitError("invalid", "Expected two revisions, as a..b or a...b, or staged, or unstaged.");
  const [from, to] = await Promise.all([resolveCommit(repository, ends.from, signal), resolveCommit(repository, ends.to, signal)]);
  return ["diff", ...(ends.isSymmetric ? ["--merge-base"] : []), from, to];
}
