// Changes an older commit: makes it and all that come after it anew, then moves the branch. The files of the work tree and the index stay as
// they are: what is staged belongs to the older commit afterwards.
import { GitError } from "../errors.ts";
import { readableMessage } from "../messages/readable-message.ts";
import { gitFailure } from "../process/git-failure.ts";
import { withTemporaryIndex } from "../process/temporary-index.ts";
import type { Repository } from "../repository.ts";
import { committerIdentity } from "../worktree/committer-identity.ts";
import type { ProgramPolicy } from "../worktree/hooks-and-signing.ts";
import { changedCommit, isSigned, type CommitChanges } from "./commit-object.ts";
import type { RewritePlan } from "./rewrite-plan.ts";

export interface RewriteOptions {
  /** Undefined: the old one stays. */
  readonly message: string | undefined;
  /** `Name <email>` */
  readonly author: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RewriteResult {
  /** The commit that was changed, as it is now. */
  readonly hash: string;
  readonly head: string;
  /** Signatures that the new commits do not have. */
  readonly lostSignatures: number;
}

const MAX_COMMIT_BYTES = 1024 * 1024;

export async function rewriteCommit(
  repository: Repository,
  { commits, patch, head }: RewritePlan,
  { message, author, signal }: RewriteOptions,
  policy: ProgramPolicy,
): Promise<RewriteResult> {
  const committer = committerLine(committerIdentity(repository, policy.env));
  const newIds = new Map<string, string>();
  const parentOf = (parent: string): string => newIds.get(parent) ?? parent;
  const [target = ""] = commits;
  let lostSignatures = 0;
  for (const commit of commits) {
    const bytes = await readCommit(repository, commit, signal);
    if (isSigned(bytes)) lostSignatures++;
    const own: Partial<CommitChanges> = commit === target ? { message, author } : {};
    const tree = patch === undefined ? undefined : await patchedTree(repository, commit, patch, signal);
    const input = changedCommit(bytes, { ...own, tree, parentOf, committer });
    const { stdout } = await repository.change({ args: ["hash-object", "-tcommit", "-w", "--stdin"], input, signal });
    newIds.set(commit, stdout.toString().trim());
  }
  const newHead = parentOf(head);
  const args = ["update-ref", `-mcommit (amend of ${target.slice(0, 12)})`, "HEAD", newHead, head];
  const moved = await repository.tryChange({ args, signal });
  if (/but expected/.test(moved.stderr))
    throw new GitError("conflict", "The branch has moved meanwhile: nothing was changed. Repeat the call.");
  if (moved.exitCode !== 0) throw gitFailure(repository, moved, args);
  return { hash: parentOf(target), head: newHead, lostSignatures };
}

/** The tree of a commit with what is staged on top. */
async function patchedTree(repository: Repository, commit: string, patch: Buffer, signal?: AbortSignal): Promise<string> {
  return await withTemporaryIndex(repository.context, async (context, file) => {
    const env = { GIT_INDEX_FILE: file };
    const filled = await repository.tryRead({ args: ["read-tree", commit], signal }, context);
    if (filled.exitCode !== 0) throw gitFailure(repository, filled, ["read-tree"]);
    const applied = await repository.tryChange({ args: ["apply", "--cached", "--whitespace=nowarn", "-"], input: patch, env, signal });
    if (applied.exitCode !== 0)
      throw new GitError(
        "conflict",
        `What is staged does not apply to commit ${commit.slice(0, 12)}, which has other lines there: nothing was changed. Commit it by itself, or stage less. git says: ${readableMessage(repository.state, applied.stderr)}`,
      );
    const { stdout } = await repository.change({ args: ["write-tree"], env, signal });
    return stdout.toString().trim();
  });
}

async function readCommit(repository: Repository, commit: string, signal?: AbortSignal): Promise<Buffer> {
  const found = await repository.object(commit, MAX_COMMIT_BYTES, signal);
  if (typeof found !== "string" && found.size <= MAX_COMMIT_BYTES) return found.bytes;
  throw new GitError("failed", `Commit ${commit.slice(0, 12)} is missing or has more than ${MAX_COMMIT_BYTES} bytes: nothing was changed.`);
}

function committerLine(identity: Readonly<Record<string, string>>): string {
  const clean = (name: string): string => (identity[name] ?? "").replaceAll(/[<>\n\0]/g, "").trim();
  const now = new Date();
  const minutes = -now.getTimezoneOffset();
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const zone = `${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}${two(Math.abs(minutes) % 60)}`;
  return `${clean("GIT_COMMITTER_NAME")} <${clean("GIT_COMMITTER_EMAIL")}> ${Math.floor(now.getTime() / 1000)} ${zone}`;
}
