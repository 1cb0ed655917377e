// Runs commands on a temporary index, so that they do not change the repository's own.
import { copyFileSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemErrorCode, TemporaryFolder } from "@oarlock/domain-kit";
import { withSetting } from "./environment.ts";
import type { GitContext } from "./git-process.ts";

/** `work` gets a context whose commands use the index at `file`; there is none at first. It is removed afterwards. */
export async function withTemporaryIndex<T>(base: GitContext, work: (context: GitContext, file: string) => Promise<T>): Promise<T> {
  using folder = new TemporaryFolder(tmpdir());
  const file = join(folder.path, "index");
  return await work({ ...base, env: { ...base.env, GIT_INDEX_FILE: file } }, file);
}

/**
 * The same with a copy of the repository's index. `git diff` refreshes the index that it reads, whatever GIT_OPTIONAL_LOCKS says, and holds
 * its lock meanwhile: beside it `git add` of the user would fail. The copy takes what is refreshed.
 */
export async function withCopiedIndex<T>(base: GitContext, work: (context: GitContext, file: string) => Promise<T>): Promise<T> {
  return await withTemporaryIndex(base, async (context, file) => {
    copyIndex(join(base.env["GIT_DIR"] ?? "", "index"), file);
    // An index in two parts would be written with a part in the git directory.
    return await work({ ...context, env: withSetting(context.env, ["core.splitIndex", "false"]) }, file);
  });
}

function copyIndex(from: string, to: string): void {
  try {
    // git trusts the times of files that are older than the index: the copy must not look newer than what it was made from.
    const seconds = Math.floor(statSync(from).mtimeMs) / 1000;
    copyFileSync(from, to);
    utimesSync(to, seconds, seconds);
  } catch (error) {
    // Before the first file is added there is none.
    if (systemErrorCode(error) !== "ENOENT") throw error;
  }
}
