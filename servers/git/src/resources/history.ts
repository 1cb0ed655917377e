// git:///{repo}/commit/{revision} and git:///{repo}/diff/{range}: commits with their changes, and changes between two.
import { template } from "@oarlock/server-kit";
import { completeRange, completeRepository, completeRevision } from "../completion.ts";
import { budgetOf } from "../tools/diff-reply.ts";
import type { Parts } from "../dependencies.ts";
import { commitText } from "../repo/history/commit-record.ts";
import { diffText } from "../repo/diff/diff-text.ts";
import { diffOf } from "../repo/diff/diff.ts";
import { fitted } from "../repo/text/output-budget.ts";
import { GitError } from "../repo/errors.ts";
import type { Repository } from "../repo/repository.ts";
import { isFullId, rangeOf } from "../repo/refs/revision-syntax.ts";
import { showCommit } from "../repo/history/show.ts";
import { withName } from "./address.ts";
import { forGood, found, read } from "./repository-access.ts";

/** Nobody pages through a resource: it holds more than a page of a tool. */
const BYTES = 1_000_000;

export const commit = (parts: Parts) =>
  template({
    uri: "git:///{repo}/commit/{revision}",
    name: "commit",
    title: "Commit",
    description: "A commit with its changes.",
    mimeType: "text/plain",
    match: withName("commit", "revision"),
    cache: ({ revision }) => (isFullId(revision) ? forGood : {}),
    complete: { repo: completeRepository(parts), revision: completeRevision(parts) },
    read: ({ repo, revision }, ctx, uri) =>
      found(uri, async () => {
        const repository = await read(parts, repo, ctx);
        const hash = await repository.commit(revision, ctx.signal);
        const { commit: one, diff } = await showCommit(repository, hash, {
          contextLines: 3,
          format: "patch",
          ...budgetOf(parts, BYTES),
          signal: ctx.signal,
        });
        return fitted(`${commitText(one)}\n${diffText(diff, "patch")}`, parts.maxResultBytes - 1000);
      }),
  });

export const diff = (parts: Parts) =>
  template({
    uri: "git:///{repo}/diff/{range}",
    name: "diff",
    title: "Changes between revisions",
    description: "What changed from one revision to another: a..b, or a...b since the two parted; or staged, or unstaged.",
    mimeType: "text/x-diff",
    match: withName("diff", "range"),
    cache({ range }) {
      const ends = rangeOf(range);
      return ends !== undefined && isFullId(ends.from) && isFullId(ends.to) ? forGood : {};
    },
    complete: { repo: completeRepository(parts), range: completeRange(parts) },
    read: ({ repo, range }, ctx, uri) =>
      found(uri, async () => {
        const repository = await read(parts, repo, ctx);
        const compare = await comparison(repository, range, ctx.signal);
        const changes = await diffOf(repository, {
          compare,
          contextLines: 3,
          paths: [],
          format: "patch",
          ...budgetOf(parts, BYTES),
          signal: ctx.signal,
        });
        return fitted(diffText(changes, "patch"), parts.maxResultBytes - 1000);
      }),
  });

/** Two revisions, or what is not committed: `staged` and `unstaged`. */
async function comparison(repository: Repository, range: string, signal: AbortSignal): Promise<string[]> {
  if (range === "staged") return ["diff", "--cached"];
  if (range === "unstaged") return ["diff"];
  const ends = rangeOf(range);
  if (ends === undefined) throw new GitError("invalid", "Expected two revisions, as a..b or a...b, or staged, or unstaged");
  const [from, to] = await Promise.all([repository.commit(ends.from, signal), repository.commit(ends.to, signal)]);
  return ["diff", ...(ends.symmetric ? ["--merge-base"] : []), from, to];
}
