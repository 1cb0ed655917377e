// Completion of repositories, revisions, ranges and paths. A lookup that fails completes to nothing.
import type { Completer } from "@oarlock/server-kit";
import type { Dependencies } from "./dependencies.ts";
import { GitError } from "./repo/errors.ts";
import { parseTree, readObjectAt } from "./repo/history/object-at.ts";
import { listRefNames } from "./repo/refs/ref-list.ts";
import { resolveCommit } from "./repo/refs/revision-resolver.ts";
import type { Repository } from "./repo/repository.ts";
import { nameToText } from "./repo/text/file-names.ts";

/** The kit sends the first hundred values and the number of all. */
const MAX_VALUES = 1000;
const RECENT_COMMITS = 200;
const MAX_TREE_BYTES = 4 * 1024 * 1024;

export const completeRepository =
  ({ sandboxes, repositories }: Dependencies): Completer =>
  (typed, ctx) =>
    repositories
      .list(sandboxes.known(ctx), MAX_VALUES)
      .map(({ name }) => name)
      .filter((name) => name.startsWith(typed));

interface Completion {
  readonly repository: Repository;
  readonly typed: string;
  /** Arguments that have a value already. */
  readonly given: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Completes in the repository that the argument `repo` names, or in the only one. */
const inRepository =
  ({ sandboxes, repositories }: Dependencies, complete: (completion: Completion) => Promise<readonly string[]>): Completer =>
  async (typed, ctx, given) => {
    try {
      const repository = await repositories.open(sandboxes.known(ctx), given["repo"], ctx.signal);
      return await complete({ repository, typed, given, signal: ctx.signal });
    } catch (error) {
      if (error instanceof GitError) return [];
      throw error;
    }
  };

/** Branches and tags; for the beginning of a hash also recent commits. */
async function revisionsFor({ repository, typed, signal }: Omit<Completion, "given">): Promise<string[]> {
  const names = ["HEAD", ...(await listRefNames(repository, signal))].filter((name) => name.startsWith(typed));
  const head = /^[0-9a-f]{2,64}$/.test(typed) ? await repository.headCommit(signal) : undefined;
  if (head === undefined) return names;
  const { stdout } = await repository.read({ args: ["rev-list", `--max-count=${RECENT_COMMITS}`, "--all", head], signal });
  const hashes = stdout.toString().split("\n");
  return [...names, ...hashes.filter((hash) => hash !== "" && hash.startsWith(typed))];
}

export const completeRevision = (deps: Dependencies): Completer => inRepository(deps, revisionsFor);

/** Completes the end of a range that is being typed. */
export const completeRange = (deps: Dependencies): Completer =>
  inRepository(deps, async ({ typed, ...completion }) => {
    const [, start = "", end = ""] = /^(.*\.\.\.?)?(.*)$/s.exec(typed) ?? [];
    return (await revisionsFor({ ...completion, typed: end })).map((name) => start + name);
  });

/** Completes a path in the revision that is given already, or at HEAD. */
export const completePath = (deps: Dependencies): Completer =>
  inRepository(deps, async ({ repository, typed, given, signal }) => {
    const commit = await resolveCommit(repository, given["revision"] ?? "HEAD", signal);
    const folder = typed.slice(0, typed.lastIndexOf("/") + 1);
    const { bytes, type } = await readObjectAt(repository, commit, folder || ".", MAX_TREE_BYTES, signal);
    if (type !== "tree") return [];
    return parseTree(bytes, commit.length / 2)
      .map((entry) => folder + nameToText(entry.name) + (entry.type === "tree" ? "/" : ""))
      .filter((path) => path.startsWith(typed))
      .slice(0, MAX_VALUES);
  });
