// Stages parts of files: a patch is applied to the index, and the work tree stays as it is.
import { GitError } from "../errors.ts";
import { gitFailure, readableMessage } from "../process/git-failure.ts";
import { splitRecords } from "../process/nul-records.ts";
import type { Repository } from "../repository.ts";
import { nameToText } from "../text/file-names.ts";

// Counts in hunk headers are computed anew: whoever leaves out lines of a hunk rarely corrects them.
const OPTIONS = ["--cached", "--recount", "--whitespace=nowarn"];

/** Returns the paths that the patch changes. `dryRun`: checks only whether it applies. */
export async function stagePatch(repository: Repository, patch: string, dryRun: boolean, signal?: AbortSignal): Promise<string[]> {
  repository.requireWorkTree();
  if (!/^(?:diff --git |--- )/m.test(patch))
    throw new GitError(
      "invalid",
      "patch is not a patch: give hunks as git_diff_unstaged shows them, below their headers (diff --git, ---, +++).",
    );
  const input = patch.endsWith("\n") ? patch : `${patch}\n`;
  const run = async (options: readonly string[]): Promise<Buffer> => {
    const args = ["apply", ...OPTIONS, ...options, "-"];
    const result = await repository.tryChange({ args, input, signal });
    if (result.exitCode === 0) return result.stdout;
    if (!/patch failed|does not apply|does not exist in index|already exists in index|corrupt patch|No valid patches/i.test(result.stderr))
      throw gitFailure(repository, result, args);
    throw new GitError(
      "conflict",
      `The patch does not apply to what is staged: nothing was changed. Take its hunks from git_diff_unstaged. git says: ${readableMessage(repository.state, result.stderr)}`,
    );
  };
  const paths = numstatPaths(await run(["--numstat", "-z"]));
  await run(dryRun ? ["--check"] : []);
  return paths;
}

/** Parses records `1\t2\tpath`. */
const numstatPaths = (output: Buffer): string[] =>
  splitRecords(output).map((record) => nameToText(record.subarray(record.indexOf(9, record.indexOf(9) + 1) + 1)));
