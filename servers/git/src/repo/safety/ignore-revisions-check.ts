// blame.ignoreRevsFile: git reads the files of this setting whatever is set beside it, and tells the first line of one that holds no
// revisions. So it may name what lies in the work tree, and nothing else of the machine.
import { lstatSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { GitError } from "../errors.ts";
import type { Repository } from "../repository.ts";
import { isInside } from "./sandbox.ts";

export function checkIgnoredRevisions({ facts }: Pick<Repository, "facts">): void {
  if (facts.trusted) return;
  for (const { key, value } of facts.config) {
    if (key !== "blame.ignorerevsfile" || value === undefined || value === "") continue;
    const found = isPlain(value, facts);
    if (found === undefined)
      throw new GitError(
        "not-found",
        "blame.ignoreRevsFile in the configuration of the repository names a file that is not there: make it, or remove the setting (git config --unset blame.ignoreRevsFile).",
      );
    if (!found)
      throw new GitError(
        "unsafe",
        "Refused: blame.ignoreRevsFile in the configuration of the repository names something that is no plain file of its work tree. Remove the setting (git config --unset blame.ignoreRevsFile), or start the server with --trust and the path of the repository.",
      );
  }
}

/** Undefined where there is nothing. */
function isPlain(value: string, { top, gitDir, commonDir, bare }: Repository["facts"]): boolean | undefined {
  // Another user's home, or where git is installed: what they stand for is git's to say.
  if (bare || /^(?:~|%\()/.test(value)) return false;
  let real: string;
  try {
    real = realpathSync.native(resolve(top, value));
  } catch {
    return isInside(resolve(top, value), top) ? undefined : false;
  }
  return isInside(real, top) && ![gitDir, commonDir].some((own) => isInside(real, own)) && lstatSync(real).isFile();
}
