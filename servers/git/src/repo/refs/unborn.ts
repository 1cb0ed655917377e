// A branch without a commit is unborn only where no ref of its name exists. A ref file that is empty or cut, and a damaged packed-refs, are
// something else: the history is there, and what names it is lost.
import { join } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { gitFailure } from "../process/git-failure.ts";
import type { GitCommand, GitResult } from "../process/git-process.ts";
import type { WithPaths } from "../process/repository-paths.ts";
import { entryAt } from "../safety/file-entry.ts";

/** The part of a repository that is looked at. */
interface Refs extends WithPaths {
  head(): { readonly branch?: string };
  tryRead(command: GitCommand): Promise<GitResult>;
}

/** Called where HEAD names no commit. Throws a {@link GitError} where a ref is damaged. */
export async function requireUnborn(repository: Refs, signal?: AbortSignal): Promise<void> {
  const { state } = repository;
  const { branch } = repository.head();
  const ref = `refs/heads/${branch}`;
  if (branch !== undefined && entryAt(join(state.commonDir, ref))?.isFile() === true) throw damaged(ref);
  // git reads all of packed-refs, and names what is wrong with it.
  const args = ["for-each-ref", "--count=1", "refs/heads"];
  const refs = await repository.tryRead({ args, signal });
  if (refs.exitCode !== 0) throw gitFailure(repository, refs, args);
}

const damaged = (ref: string): GitError =>
  new GitError(
    "failed",
    `Damaged repository: .git/${clip(ref)} holds no commit id, so git does not find the history. The last line of .git/logs/${clip(ref)} names the commit that it held: put it back with git itself (git update-ref).`,
  );
