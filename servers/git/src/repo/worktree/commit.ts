// Commits what is staged, and reports what did not run: hooks and the signer.
import { GitError } from "../errors.ts";
import { gitFailure } from "../process/git-failure.ts";
import type { GitResult } from "../process/git-process.ts";
import type { Repository } from "../repository.ts";
import { committerIdentity } from "./committer-identity.ts";
import { installedHooks, programSettings, wantsSignature, type ProgramPolicy } from "./hooks-and-signing.ts";
import { noticeDetachedCommits, noticeLeftRefs } from "../refs/unnamed-commits.ts";
import { currentOperation, inProgress } from "./operation.ts";

export interface CommitOptions {
  readonly message: string;
  readonly amend: boolean;
  readonly allowEmpty: boolean;
  /** `Name <email>` */
  readonly author?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CommitResult {
  readonly hash: string;
  /** Undefined where HEAD is detached. */
  readonly branch: string | undefined;
  readonly filesChanged: number;
  /** Lines. */
  readonly additions: number;
  readonly deletions: number;
  readonly signed: boolean;
  readonly hooksRun: boolean;
}

const COMMIT_HOOKS = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"];
const AUTHOR = /^[^<>\n]*[^<>\n\s][^<>\n]* <[^<>\n]*>$/;

export async function commitStaged(repository: Repository, options: CommitOptions, policy: ProgramPolicy): Promise<CommitResult> {
  repository.requireWorkTree();
  const { message, amend, allowEmpty, author, signal } = options;
  // An amended commit keeps its message then.
  const keepsMessage = amend && message.trim() === "";
  if (message.trim() === "" && !keepsMessage) throw new GitError("invalid", "The commit message is empty: give one.");
  if (message.includes("\0")) throw new GitError("invalid", "The commit message holds a NUL character: remove it.");
  requireAuthor(author);
  const before = await repository.headCommit(signal);
  const identity = committerIdentity(repository, policy.env);
  const { settings, env } = programSettings(repository, policy);
  const result = await repository.tryChange({
    args: [
      "commit",
      ...(keepsMessage ? [] : ["--file=-", "--cleanup=whitespace"]),
      "--no-edit",
      "--no-status",
      "--no-verbose",
      policy.sign ? "--gpg-sign" : "--no-gpg-sign",
      ...(amend ? ["--amend"] : []),
      ...(allowEmpty ? ["--allow-empty"] : []),
      ...(author === undefined ? [] : [`--author=${author}`]),
    ],
    ...(!keepsMessage && { input: message }),
    // The summary then holds the whole id.
    settings: [...settings, ["core.abbrev", "no"]],
    env: { ...env, ...identity },
    signal,
  });
  if (result.exitCode !== 0) throw commitFailure(repository, result);
  const summary = result.stdout.toString();
  const [, branch = "", hash = ""] = /^\[([^\n]*?)(?: \(root-commit\))? ([0-9a-f]{40,64})\] /m.exec(summary) ?? [];
  await noticeDetachedCommits(repository, signal);
  const created = hash || ((await repository.headCommit(signal)) ?? "");
  if (amend) await noticeLeftRefs(repository, { from: before, to: created }, signal);
  const [, files = "0", added = "0", deleted = "0"] =
    /^ (\d+) files? changed(?:, (\d+) insertions?\(\+\))?(?:, (\d+) deletions?\(-\))?/m.exec(summary) ?? [];
  return {
    hash: created,
    branch: branch === "detached HEAD" ? undefined : branch,
    filesChanged: Number(files),
    additions: Number(added),
    deletions: Number(deleted),
    signed: policy.sign,
    hooksRun: policy.runHooks,
  };
}

/** Throws for an author that git does not take. */
export function requireAuthor(author: string | undefined): void {
  if (author !== undefined && !AUTHOR.test(author)) throw new GitError("invalid", 'The author must be written as "Name <email>".');
}

/** What the user would miss in a commit: installed hooks that git would have run, and a signature that their configuration asks for. */
export function skippedPrograms(repository: Repository, { runHooks, sign }: ProgramPolicy, amends: boolean): string[] {
  const skipped = runHooks ? [] : installedHooks(repository, [...COMMIT_HOOKS, ...(amends ? ["post-rewrite"] : [])]);
  const isUnsigned = !sign && wantsSignature(repository, "commit.gpgsign");
  return [
    ...(skipped.length === 0 ? [] : [`Hooks were not run: ${skipped.join(", ")}; start the server with --run-hooks to run them.`]),
    ...(isUnsigned ? ["The commit is unsigned; start the server with --sign to sign commits."] : []),
  ];
}

function commitFailure(repository: Repository, result: GitResult): GitError {
  if (result.failedHook !== undefined) return gitFailure(repository, result, ["commit"]);
  const summary = result.stdout.toString();
  if (/nothing to commit|nothing added to commit|no changes added to commit/.test(summary))
    return new GitError("invalid", "Nothing is staged: stage files with git_add, or pass allow_empty.");
  if (/You asked to amend the most recent commit, but doing so would make/.test(result.stderr))
    return new GitError("invalid", "The amended commit would be empty: stage files with git_add, or pass allow_empty.");
  if (/unmerged|fix conflicts/i.test(summary + result.stderr))
    return new GitError(
      "conflict",
      `${inProgress(currentOperation(repository) ?? "merge")} and files are in conflict: resolve those that git_status lists under conflicts, stage them with git_add, then commit again.`,
    );
  return gitFailure(repository, result, ["commit"]);
}
