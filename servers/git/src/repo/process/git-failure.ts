// Turns a failed git command into an error with a next step. The message keeps git's own words, without paths of this machine and
// without credentials.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { overwriteRefusal } from "../messages/overwrite-refusal.ts";
import { MAX_MESSAGE_LENGTH, readableMessage, spellings } from "../messages/readable-message.ts";
import type { GitArgument, GitCommand, GitResult, GitTimeout } from "./git-process.ts";
import type { HookRun } from "../messages/hook-trace.ts";
import type { Head, RepositoryPaths, WithPaths } from "./repository-paths.ts";

export function gitFailure(
  { state }: WithPaths,
  { exitCode, stdout, stderr: errors, failedHook }: GitResult,
  args: readonly GitArgument[],
): GitError {
  // Some commands report on stdout what stopped them, such as a stash of conflicting files.
  const stderr = errors.trim() === "" && stdout.length <= MAX_MESSAGE_LENGTH ? stdout.toString() : errors;
  const message = readableMessage(state, stderr);
  if (failedHook !== undefined)
    return new GitError(
      "conflict",
      `The hook ${failedHook.name} ended with exit code ${failedHook.exitCode}, which stops git ${String(args[0])}. Mend what it names, then repeat the call.${message === "" ? "" : ` It says: ${message}`}`,
    );
  const lock = /Unable to create '([^']+\.lock)': File exists/.exec(stderr)?.[1];
  // Some commands fail over a lock without naming it.
  const lockFile = lock ?? (message === "" || /unable to write (?:new )?index/i.test(message) ? findLock(state) : undefined);
  if (lockFile !== undefined) return lockedError(state, lockFile);
  if (/unable to auto-detect email address|empty ident name|no email was given|no name was given/i.test(stderr)) return identityMissing();
  if (/needs merge|unmerged files|unresolved conflict|Merging is not possible|not possible because you have unmerged/i.test(stderr))
    return new GitError(
      "conflict",
      `A conflict is in progress: resolve the files that git_status lists under conflicts, stage them with git_add, then repeat the call. git says: ${message}`,
    );
  if (/transport '[^']*' not allowed|could not fetch .* from promisor remote|lazy fetching disabled/i.test(stderr))
    return new GitError(
      "failed",
      `Objects are missing: this is a partial clone, and only the remote has them. Fetch them with git itself first. git says: ${message}`,
    );
  const refusal = overwriteRefusal(stderr);
  if (refusal !== undefined) return refusal;
  const remedy = remedyOf(stderr);
  if (remedy !== undefined) return new GitError(remedy.code, `${remedy.text} git says: ${message}`);
  const ending = exitCode === undefined ? " (the process was stopped)" : ` with exit code ${exitCode}`;
  return new GitError("failed", message === "" ? `git ${String(args[0])} failed${ending}.` : `git: ${message}`);
}

interface Remedy {
  readonly code: GitError["code"];
  readonly text: string;
}

/** Of a commit, a tree or a file. */
export const MISSING_OBJECT =
  "Damaged repository: an object is missing or damaged. git fsck lists what is lost; a fetch from a remote or a copy of the repository brings it back.";

export const missingObjectOf = (name: string): GitError =>
  new GitError("failed", `${MISSING_OBJECT} It is the one that "${clip(name)}" names.`);

/** What git says in words for people at a terminal, and what a caller of tools does about it. */
const REMEDIES: readonly (readonly [pattern: RegExp, remedy: Remedy])[] = [
  [
    /pathspec '.*' did not match|did not match any file\(s\) known to git/i,
    {
      code: "not-found",
      text: "git knows no such file here. git_status lists changed and untracked files; paths are relative to the top of the repository, and git_restore with source brings back a file of another commit.",
    },
  ],
  [
    /(?:unexpected|unterminated) line in .*packed-refs/,
    {
      code: "failed",
      text: "Damaged repository: .git/packed-refs has a line that names no ref. Remove or complete it by hand; .git/logs keeps what refs named before.",
    },
  ],
  [
    /Expected git repo version <= \d+, found \d+|unknown repository extension/,
    { code: "failed", text: "The git of this machine is too old for the format of this repository. Install a newer git." },
  ],
  [
    /multi-pack-index (?:signature|version|file|hash)/,
    {
      code: "failed",
      text: "Damaged repository: .git/objects/pack/multi-pack-index cannot be read. Remove that file; packs have indexes of their own.",
    },
  ],
  [
    /non-monotonic index|index file .* is too small/,
    {
      code: "failed",
      text: "Damaged repository: the index of a pack is damaged. Remove that .idx file and write it again with git itself (git index-pack and the .pack file).",
    },
  ],
  [
    /bad shallow line/,
    { code: "failed", text: "Damaged repository: .git/shallow has a line that names no commit. Remove that line by hand." },
  ],
  [
    /Failed to read notes tree/,
    {
      code: "failed",
      text: "Damaged repository: a ref below refs/notes names no tree of notes. Delete that ref with git itself (git update-ref -d).",
    },
  ],
  [
    /bad (?:tree |commit )?object|could not parse (?:HEAD|object)|no such commit [0-9a-f]{40}|not a valid branch point: '[0-9a-f]{40}|unable to read tree|(?:loose object|object file) .* (?:is corrupt|is empty)|inflate: data stream error/i,
    { code: "failed", text: MISSING_OBJECT },
  ],
  [
    /Cannot lstat '.*': (?:No such file|Not a directory)/,
    { code: "not-found", text: "The file is not in the work tree. Give a revision, such as HEAD, to read it as committed." },
  ],
  [
    // Not what ssh says of a key: "Permission denied (publickey)".
    /: Permission denied$/m,
    {
      code: "denied",
      text: "The user that this server runs as may not read or write what git names. Mend its rights, or name other paths.",
    },
  ],
  [/has only \d+ lines?/, { code: "invalid", text: "The lines lie behind the end of the file. Give smaller numbers." }],
  [
    /^fatal: (?:-e option|command line), '|Unmatched|[Ii]nvalid (?:regular|regexp|preceding|range|back|content|character|collation)|unterminated/m,
    {
      code: "invalid",
      text: "The pattern is not a regular expression that git takes: write special characters such as ( and [ with a backslash before them, or search plain text (literal in git_grep, pickaxe in git_log).",
    },
  ],
  [
    /do not have the initial commit yet|have nothing to amend/,
    { code: "invalid", text: "There is no commit yet: stage files with git_add and make the first one with git_commit." },
  ],
  [
    /could not resolve HEAD|bad revision 'HEAD'/i,
    {
      code: "invalid",
      text: "There is no commit yet, so there is nothing to restore from. Commit first; git_reset unstages what was added.",
    },
  ],
];

const remedyOf = (stderr: string): Remedy | undefined => REMEDIES.find(([pattern]) => pattern.test(stderr))?.[1];

export const identityMissing = (): GitError =>
  new GitError(
    "invalid",
    "The committer is unknown: set user.name and user.email (git config --global user.name …), or start the server with GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL, GIT_COMMITTER_NAME and GIT_COMMITTER_EMAIL set.",
  );

/** The parts of a repository that tell what a stopped command has done. */
interface Traces {
  readonly before: Head;
  readonly after: Head;
  /** The hook that ran last. */
  readonly hook: HookRun | undefined;
}

/** A changing command that was stopped at its deadline may have done its work by then. */
export function stoppedChange({ args }: GitCommand, { seconds }: GitTimeout, { before, after, hook }: Traces): GitError {
  const during = hook !== undefined && hook.exitCode === undefined ? `, while the hook ${hook.name} ran` : "";
  const hasMoved = before.oid !== after.oid || before.branch !== after.branch;
  const outcome = hasMoved
    ? `Its work was done by then: HEAD is now ${after.oid ?? "elsewhere"}${before.oid === undefined ? "" : ` (before: ${before.oid})`}. Do not repeat the call.`
    : "HEAD has not moved. git_status shows what it has changed.";
  return new GitError(
    "failed",
    `git ${String(args[0])} did not finish within ${Math.round(seconds)} seconds and was stopped${during}. ${outcome} A longer --timeout of the server, in milliseconds, gives it more time.`,
  );
}

/** For commands that would stop half-way: a merge that cannot write the index leaves a MERGE_HEAD and nothing merged. */
export function requireUnlocked({ state }: WithPaths): void {
  const lockFile = findLock(state);
  if (lockFile !== undefined) throw lockedError(state, lockFile);
}

function findLock({ gitDir, commonDir }: RepositoryPaths): string | undefined {
  const names = ["index.lock", "HEAD.lock", "packed-refs.lock", "config.lock", "refs/stash.lock"];
  return [gitDir, commonDir]
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
}

/** The age of the lock tells the caller whether waiting helps. A lock is never removed by this server. */
function lockedError({ gitDir, commonDir }: RepositoryPaths, lock: string): GitError {
  const folder = [gitDir, commonDir].find((path) => spellings(path).some((text) => lock.startsWith(text)));
  const name = folder === undefined ? clip(lock.split("/").slice(-2).join("/")) : lock.slice(folder.length + 1);
  const stat = lstatSync(folder === undefined ? lock : join(folder, name), { throwIfNoEntry: false });
  const age = stat === undefined ? "" : `, made ${Math.max(0, Math.round((Date.now() - stat.mtimeMs) / 1000))} seconds ago`;
  return new GitError(
    "locked",
    `Another git process holds the lock .git/${name}${age}. Wait until it has finished, then try again. If no git is running, the lock was left behind: remove the file by hand; this server never removes it.`,
  );
}
