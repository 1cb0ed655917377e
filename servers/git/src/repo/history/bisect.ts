// Finds the commit at which a text or a path came or went, by halving a range. Nothing of the repository runs or is checked out.
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { gitFailure } from "../process/git-failure.ts";
import type { Repository } from "../repository.ts";
import { pathArgument, pathArguments } from "../safety/path-resolver.ts";

export interface BisectOptions {
  /** Commit ids. */
  readonly good: string;
  readonly bad: string;
  readonly text: string | undefined;
  readonly path: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface BisectResult {
  /** The first commit where it is as in `bad`. */
  readonly commit: string;
  readonly change: "appeared" | "disappeared";
  /** Commits that were looked at. */
  readonly steps: number;
}

const NO_MATCH = 1;

export async function bisect(repository: Repository, options: BisectOptions): Promise<BisectResult> {
  const { good, bad, text, path, signal } = options;
  if (text === undefined && path === undefined) throw new GitError("invalid", "Nothing to look for: give text, path or both.");
  if (text === "") throw new GitError("invalid", "text is empty: give the text to look for, or leave it out.");
  if ((await firstOf(repository, [good, `^${bad}`], signal)) !== undefined || good === bad)
    throw new GitError(
      "invalid",
      "good is not an ancestor of bad: give an older commit as good. git_log with a..b shows what lies between two.",
    );
  const [before, after] = [await holds(repository, good, options), await holds(repository, bad, options)];
  if (before === after) throw unchanged(options, before);
  const goods = [good];
  let first = bad;
  let steps = 2;
  for (;;) {
    const middle = await firstOf(repository, ["--bisect", first, ...goods.map((commit) => `^${commit}`)], signal);
    if (middle === undefined || middle === first) return { commit: first, change: after ? "appeared" : "disappeared", steps };
    steps += 1;
    if ((await holds(repository, middle, options)) === after) first = middle;
    else goods.push(middle);
  }
}

/** Whether the text stands in a file of the commit, or the path is there. */
async function holds(repository: Repository, commit: string, { text, path, signal }: BisectOptions): Promise<boolean> {
  if (text === undefined) {
    const { stdout } = await repository.read({ args: ["ls-tree", "-z", commit, "--", pathArgument(repository, path ?? "")], signal });
    return stdout.length > 0;
  }
  const paths = pathArguments(repository, path === undefined ? [] : [path]);
  const args = ["grep", "--quiet", "--fixed-strings", "--text", "--no-textconv", "-e", text, commit, ...paths];
  const result = await repository.tryRead({ args, signal });
  if (result.exitCode !== 0 && (result.exitCode !== NO_MATCH || result.stderr !== "")) throw gitFailure(repository, result, ["grep"]);
  return result.exitCode === 0;
}

async function firstOf(repository: Repository, args: readonly string[], signal?: AbortSignal): Promise<string | undefined> {
  const { stdout } = await repository.read({ args: ["rev-list", "--max-count=1", ...args, "--"], signal });
  return stdout.toString().trim() || undefined;
}

function unchanged({ text, path }: BisectOptions, isThere: boolean): GitError {
  const what = text === undefined ? `Path ${clip(path ?? "")}` : `Text "${clip(text)}"`;
  const where = text !== undefined && path !== undefined ? ` in ${clip(path)}` : "";
  return new GitError(
    "invalid",
    `${what} is ${isThere ? "in both good and bad" : "in neither good nor bad"}${where}: choose ends that differ. git_log with pickaxe finds every commit that changed how often a text occurs.`,
  );
}
