// The executable bit of files: in the work tree here, in the index by `git add --chmod`.
import { fchmodSync } from "node:fs";
import { clip } from "@oarlock/domain-kit";
import { isWindows } from "../../../platform.ts";
import { GitError } from "../../errors.ts";
import type { Repository } from "../../repository.ts";
import { relativePath } from "../../safety/path-resolver.ts";
import { withPlainFile } from "../../safety/work-tree-file.ts";

const EXECUTE = 0o111;

/** The option of `git add`. */
export const chmodOption = (executable: boolean): string => `--chmod=${executable ? "+x" : "-x"}`;

/** Throws where a path is not a plain file. Windows keeps no such bit: there only the index has it. */
export function setExecutable(repository: Repository, files: readonly string[], executable: boolean, dryRun: boolean): void {
  for (const file of files) {
    const done = withPlainFile(repository, relativePath(repository, file), (opened, { mode }) => {
      const bits = Number(mode) & 0o777;
      // Whoever may read the file may run it.
      const wanted = executable ? bits | ((bits >> 2) & EXECUTE) : bits & ~EXECUTE;
      if (!dryRun && !isWindows && wanted !== bits) fchmodSync(opened, wanted);
      return true;
    });
    if (done !== true)
      throw new GitError("invalid", `${clip(file)} is not a plain file: only files are executable. Name each file in files.`);
  }
}
