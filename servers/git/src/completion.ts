// Completion of what is typed: repositories, revisions, ranges, paths at a revision. Whatever cannot be found out completes to nothing.
import type { Completer } from "@oarlock/server-kit";
import type { Parts } from "./dependencies.ts";
import { GitError } from "./repo/errors.ts";
import { nameOf } from "./repo/text/file-names.ts";
import type { Repository } from "./repo/repository.ts";
import { entriesOfTree, objectAt } from "./repo/history/show.ts";

/** Looked for, so that the number of all can be told; the kit sends the first hundred. */
const COUNTED = 1000;
const RECENT = 200;

export const completeRepository =
  ({ areas, repositories }: Parts): Completer =>
  (typed, ctx) =>
    repositories
      .list(areas.known(ctx), COUNTED)
      .map(({ name }) => name)
      .filter((name) => name.startsWith(typed));

/** The repository that is settled already, or the only one; `repo` in templates and prompts. */
function inRepository(
  { areas, repositories }: Parts,
  complete: (
    repository: Repository,
    typed: string,
    known: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) => Promise<readonly string[]>,
): Completer {
  return async (typed, ctx, known) => {
    try {
      const repository = await repositories.open(areas.known(ctx), known["repo"], ctx.signal);
      return await complete(repository, typed, known, ctx.signal);
    } catch (error) {
      if (error instanceof GitError) return [];
      throw error;
    }
  };
}

/** Branches and tags; what looks like a hash is completed to a recent one. */
async function revisions(repository: Repository, typed: string, signal: AbortSignal): Promise<string[]> {
  const names = ["HEAD", ...(await repository.refNames(signal))].filter((name) => name.startsWith(typed));
  if (!/^[0-9a-f]{2,40}$/.test(typed)) return names;
  const head = await repository.headCommit(signal);
  if (head === undefined) return names;
  const { stdout } = await repository.run({ args: ["rev-list", `--max-count=${RECENT}`, "--all", head], signal });
  return [
    ...names,
    ...stdout
      .toString()
      .split("\n")
      .filter((hash) => hash !== "" && hash.startsWith(typed)),
  ];
}

export const completeRevision = (parts: Parts): Completer =>
  inRepository(parts, (repository, typed, _known, signal) => revisions(repository, typed, signal));

/** The end that is being typed. */
export const completeRange = (parts: Parts): Completer =>
  inRepository(parts, async (repository, typed, _known, signal) => {
    const [, before = "", last = ""] = /^(.*\.\.\.?)?(.*)$/s.exec(typed) ?? [];
    return (await revisions(repository, last, signal)).map((name) => before + name);
  });

/** Paths as they are in the revision that is settled already, or at HEAD. */
export const completePath = (parts: Parts): Completer =>
  inRepository(parts, async (repository, typed, known, signal) => {
    const commit = await repository.commit(known["revision"] ?? "HEAD", signal);
    const cut = typed.lastIndexOf("/") + 1;
    const { bytes, type } = await objectAt(repository, commit, typed.slice(0, cut) || ".", 4 * 1024 * 1024, signal);
    if (type !== "tree") return [];
    return entriesOfTree(bytes, commit.length / 2)
      .map(({ name, type: kind }) => typed.slice(0, cut) + nameOf(name) + (kind === "tree" ? "/" : ""))
      .filter((path) => path.startsWith(typed))
      .slice(0, COUNTED);
  });
