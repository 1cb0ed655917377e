// Repositories in folders of the work tree whose `.git` leads outside the sandbox. git reads their HEAD before it stages such a folder.
import { readdirSync } from "node:fs";
import { systemErrorCode } from "@oarlock/domain-kit";
import { GitError } from "../../errors.ts";
import type { Repository } from "../../repository.ts";
import { nameFromText, nameToText } from "../../text/file-names.ts";
import { enterableEntryAt } from "../file-entry.ts";
import { absolutePath, relativePath } from "../path-resolver.ts";

/**
 * Throws where a repository on the way to a path, in it, or in a folder right below it leads outside. One that lies deeper is refused after
 * git has looked into it, but before anything is staged: a search of all folders takes longer than the command.
 */
export async function refuseOutsideRepositories(repository: Repository, paths: readonly string[], signal?: AbortSignal): Promise<void> {
  for (const given of paths)
    for (const folder of foldersAround(repository, relativePath(repository, given))) {
      if (enterableEntryAt(absolutePath(repository, nameFromText(`${folder}/.git`))) === undefined) continue;
      try {
        await repository.openNested(folder);
      } catch (error) {
        const leadsOutside = error instanceof GitError && error.code === "denied";
        if (leadsOutside && !(await isIgnored(repository, folder, signal))) throw error;
      }
    }
}

function foldersAround(repository: Repository, path: string): string[] {
  const steps = path === "." ? [] : path.split("/");
  const onTheWay = steps.map((_, at) => steps.slice(0, at + 1).join("/"));
  return [...onTheWay, ...foldersIn(repository, path).map((name) => [...steps, name].join("/"))];
}

/** Empty for a file, for a path where nothing is, and for a folder that git may not enter either. */
function foldersIn(repository: Repository, path: string): string[] {
  const folder = absolutePath(repository, nameFromText(path));
  if (enterableEntryAt(folder)?.isDirectory() !== true) return [];
  try {
    const entries = readdirSync(folder, { withFileTypes: true, encoding: "buffer" });
    return entries.flatMap((entry) => (entry.isDirectory() ? nameToText(entry.name) : [])).filter((name) => name !== ".git");
  } catch (error) {
    if (systemErrorCode(error) === "EACCES") return [];
    throw error;
  }
}

/** git does not look into an ignored folder. */
export async function isIgnored(repository: Repository, folder: string, signal?: AbortSignal): Promise<boolean> {
  // This command takes no literal pathspecs; behind "./" no text is a pattern for it.
  const context = { ...repository.context, env: { ...repository.context.env, GIT_LITERAL_PATHSPECS: "0" } };
  const args = ["check-ignore", "--quiet", "--", `./${nameFromText(folder).toString()}`];
  return (await repository.tryRead({ args, signal }, context)).exitCode === 0;
}
