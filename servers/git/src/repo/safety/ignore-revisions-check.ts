// Checks blame.ignoreRevsFile. git reads the file of this setting in spite of any override and quotes its first line in an error, so the
// setting may only name a file of the work tree.
import { lstatSync } from "node:fs";
import { resolve } from "node:path";
import { GitError } from "../errors.ts";
import type { RepositoryState } from "./repository-state.ts";
import { isInside, realPath } from "./sandbox.ts";

const KEY = "blame.ignoreRevsFile";

export function checkIgnoreRevisionsFile({ state }: { readonly state: RepositoryState }): void {
  if (state.isTrusted) return;
  for (const { key, value } of state.config) {
    if (key !== KEY.toLowerCase() || value === undefined || value === "") continue;
    const kind = kindOf(value, state);
    if (kind === "missing")
      throw new GitError(
        "not-found",
        `${KEY} in the configuration of the repository names a missing file. Create it, or remove the setting (git config --unset ${KEY}).`,
      );
    if (kind === "unsafe")
      throw new GitError(
        "unsafe",
        `Refused: ${KEY} in the configuration of the repository must name a plain file of its work tree. Remove the setting (git config --unset ${KEY}), or start the server with --trust and the path of the repository.`,
      );
  }
}

function kindOf(value: string, { top, gitDir, commonDir, isBare }: RepositoryState): "plain" | "missing" | "unsafe" {
  // A home folder or git's own folder: only git can expand these.
  if (isBare || /^(?:~|%\()/.test(value)) return "unsafe";
  const path = resolve(top, value);
  const real = realPath(path);
  if (real === undefined) return isInside(path, top) ? "missing" : "unsafe";
  const isInWorkTree = isInside(real, top) && ![gitDir, commonDir].some((folder) => isInside(real, folder));
  return isInWorkTree && lstatSync(real).isFile() ? "plain" : "unsafe";
}
