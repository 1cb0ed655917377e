// --lockdown: messages, patches and files are left out where another author wrote them.
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import type { Commit } from "../history/commit-record.ts";
import { addNotice } from "../messages/notices.ts";
import type { Repository } from "../repository.ts";
import { pathArgument } from "../safety/path-resolver.ts";
import { HIDDEN } from "./trusted-authors.ts";

/** The commit without its message where another author wrote it. */
export function withoutHidden<C extends Commit>({ isTrusted }: Repository, commit: C): C {
  if (isTrusted?.(commit.email) !== false) return commit;
  const { notes: _, ...facts } = commit;
  return { ...facts, subject: HIDDEN, body: "" } as C;
}

/**
 * Whether the patches of a diff are hidden, because it holds commits of other authors; adds a notice then.
 * @param commits Arguments of `git log`, such as `["a...b"]`; without any there are none.
 */
export async function hidesPatches(
  repository: Repository,
  { format, signal }: { readonly format: string; readonly signal?: AbortSignal | undefined },
  commits: () => readonly string[] | Promise<readonly string[]>,
): Promise<boolean> {
  if (repository.isTrusted === undefined || format !== "patch") return false;
  const compared = await commits();
  if (compared.length === 0 || (await areTrusted(repository, compared, signal))) return false;
  addNotice("[patches hidden by --lockdown: commits of other authors]");
  return true;
}

/** Throws where another author has changed the file in the history of a commit. */
export async function requireOwnFile(repository: Repository, commit: string, path: string, signal?: AbortSignal): Promise<void> {
  if (repository.isTrusted === undefined) return;
  const name = pathArgument(repository, path);
  if (typeof name === "string" && (await areTrusted(repository, ["--follow", commit, "--", name], signal))) return;
  throw new GitError("unsafe", `Hidden by --lockdown: other authors have changed ${clip(path)}. git_blame shows the lines of this user.`);
}

/** Whether all commits are by trusted authors; false where git cannot tell. */
async function areTrusted(repository: Repository, commits: readonly string[], signal?: AbortSignal): Promise<boolean> {
  const result = await repository.tryRead({ args: ["log", "--format=%ae", "--no-show-signature", ...commits], signal });
  if (result.exitCode !== 0 || result.isTruncated) return false;
  const addresses = result.stdout.toString("utf8").split("\n");
  return addresses.filter((address) => address !== "").every((address) => repository.isTrusted?.(address) !== false);
}
