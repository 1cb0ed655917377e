// What git says when it fails, in words that help: without paths of the machine, and with what to do in the cases that are known.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { GitError, clip } from "../errors.ts";
import { withoutPasswords } from "../safety/credential-redaction.ts";
import type { Repository } from "../repository.ts";
import type { Argument, Ran } from "./git-process.ts";

const LONGEST = 2000;

export function failure(repository: Repository, { code, stdout, stderr: errors }: Ran, args: readonly Argument[]): GitError {
  // Some commands say on the other stream what stopped them, such as the stash of files in conflict.
  const stderr = errors.trim() === "" && stdout.length <= LONGEST ? stdout.toString() : errors;
  const said = plain(repository, stderr);
  const lock = /Unable to create '([^']+\.lock)': File exists/.exec(stderr)?.[1];
  const held = lock ?? (said === "" || /unable to write (?:new )?index/i.test(said) ? lockIn(repository) : undefined);
  if (held !== undefined) return locked(repository, held);
  if (/unable to auto-detect email address|empty ident name|no email was given|no name was given/i.test(stderr))
    return new GitError(
      "invalid",
      "git does not know who commits: set user.name and user.email (git config --global), or start the server with GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL, GIT_COMMITTER_NAME and GIT_COMMITTER_EMAIL set.",
    );
  if (/needs merge|unmerged files|unresolved conflict|Merging is not possible|not possible because you have unmerged/i.test(stderr))
    return new GitError(
      "conflict",
      `A conflict is in progress: resolve the files that git_status lists under conflicts, stage them with git_add, and go on. git says: ${said}`,
    );
  if (/transport '[^']*' not allowed|could not fetch .* from promisor remote|lazy fetching disabled/i.test(stderr))
    return new GitError(
      "failed",
      `Objects are missing here that only the remote has (a partial clone); nothing is fetched on the way. Fetch them with git first. git says: ${said}`,
    );
  return new GitError(
    "failed",
    said === "" ? `git ${String(args[0])} failed${code === undefined ? " (it was ended)" : ` with exit code ${code}`}.` : `git: ${said}`,
  );
}

/** Looked at before what would stop half-way: a merge that cannot write the index leaves a MERGE_HEAD, and nothing merged. */
export function mustNotBeLocked(repository: Repository): void {
  const held = lockIn(repository);
  if (held !== undefined) throw locked(repository, held);
}

/** Some commands do not say what stopped them. */
function lockIn({ facts }: Repository): string | undefined {
  const names = ["index.lock", "HEAD.lock", "packed-refs.lock", "config.lock", "refs/stash.lock"];
  return [facts.gitDir, facts.commonDir]
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
}

/** Who holds a lock cannot be asked; how old it is tells whether to wait. It is never removed. */
export function locked({ facts }: Repository, lock: string): GitError {
  const path = [facts.gitDir, facts.commonDir].find((base) => lock.startsWith(base));
  const name = path === undefined ? clip(lock.split("/").slice(-2).join("/")) : lock.slice(path.length + 1);
  const stat = lstatSync(path === undefined ? lock : join(path, name), { throwIfNoEntry: false });
  const age = stat === undefined ? "" : `, made ${Math.max(0, Math.round((Date.now() - stat.mtimeMs) / 1000))} seconds ago`;
  return new GitError(
    "locked",
    `Another git process holds the lock .git/${name}${age}. Wait until it has finished and try again. If no git runs any more, it was left behind: remove the file by hand; this server never does.`,
  );
}

/** Lines that say what went wrong, without advice for people at a terminal and without absolute paths of the git directory. */
export function plain({ facts }: Pick<Repository, "facts">, stderr: string): string {
  const lines = stderr
    .replaceAll("\r", "\n")
    .split("\n")
    .map((line) => line.replace(/^(?:fatal|error|warning): /, "").trimEnd())
    .filter(
      (line) => line !== "" && !line.startsWith("hint:") && !/^(?:Aborting|Did you forget|Use '--' to separate|'git <command>)/.test(line),
    );
  let text = lines.join("\n");
  for (const path of [facts.gitDir, facts.commonDir]) text = text.replaceAll(path, ".git");
  // Never a password.
  text = withoutPasswords(text);
  // A neighbour whose name begins like the top's keeps its own.
  const parts = text.replaceAll(`${facts.top}/`, "").split(facts.top);
  text = parts.reduce((before, after) => before + (/^[\w.-]*\w/.test(after) ? facts.top : ".") + after);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
