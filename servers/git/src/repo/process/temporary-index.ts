// Runs commands on a temporary index, so that they do not change the repository's own.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TemporaryFolder } from "@oarlock/domain-kit";
import type { GitContext } from "./git-process.ts";

/** `work` gets a context whose commands use the index at `file`; there is none at first. It is removed afterwards. */
export async function withTemporaryIndex<T>(base: GitContext, work: (context: GitContext, file: string) => Promise<T>): Promise<T> {
  using folder = new TemporaryFolder(tmpdir());
  const file = join(folder.path, "index");
  return await work({ ...base, env: { ...base.env, GIT_INDEX_FILE: file } }, file);
}
