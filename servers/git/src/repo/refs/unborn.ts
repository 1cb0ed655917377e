// A branch without a commit is unborn only where no ref of its name exists. A ref file that is empty or cut, and a damaged packed-refs, are
// something else: the history is there, and what names it is lost.
import { join } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { gitFailure } from "../process/git-failure.ts";
import type { GitCommand, GitResult } from "../process/git-process.ts";
import { entryAt } from "../safety/file-entry.ts";
import type { RepositoryState } from "../safety/repository-state.ts";
import { readRefFile } from "./head-reader.ts";

/** The part of a repository that is looked at. */
interface Refs {
  readonly state: RepositoryState;
  head(): { readonly branch?: string };
  tryRead(command: GitCommand): Promise<GitResult>;
}

/** Called where HEAD names no commit. Throws a {@link GitError} where a ref is damaged. */
export async function requireUnborn(repository: Refs, signal?: AbortSignal): Promise<void> {
  const { commonDir, gitDir } = repository.state;
  const { branch } = repository.head();
  const ref = `refs/heads/${branch}`;
  if (branch !== undefined && entryAt(join(commonDir, ref))?.isFile() === true) throw damaged(`${clip(ref)} holds no commit id`, clip(ref));
  if (branch !== undefined && isEmptyFile(join(commonDir, "packed-refs")) && hasContent(join(commonDir, "logs", ref)))
    throw damaged("packed-refs is empty", clip(ref));
  if (branch === undefined && isCut(readRefFile(join(gitDir, "HEAD")) ?? "") && hasContent(join(gitDir, "logs/HEAD")))
    throw damaged("HEAD names no branch", "HEAD");
  // git reads all of packed-refs, and names what is wrong with it.
  const args = ["for-each-ref", "--count=1", "refs/heads"];
  const refs = await repository.tryRead({ args, signal });
  if (refs.exitCode !== 0) throw gitFailure(repository, refs, args);
}

/** `refs/he`: git itself writes no name without a folder. */
const isCut = (head: string): boolean => /^ref: *refs\/[^/]*$/.test(head);

const hasContent = (file: string): boolean => (entryAt(file)?.size ?? 0) > 0;

const isEmptyFile = (file: string): boolean => entryAt(file)?.size === 0;

/** `what`: a file below .git with its fault. `log`: the one whose log has the way back. */
const damaged = (what: string, log: string): GitError =>
  new GitError(
    "failed",
    `Damaged repository: .git/${what}, so git does not find the history. The last line of .git/logs/${log} names the commit that it held: put it back with git itself (git update-ref).`,
  );
