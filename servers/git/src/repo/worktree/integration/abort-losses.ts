// Whether an abort loses work: what was resolved, changed or committed since the operation stopped.
import { join } from "node:path";
import { GitError } from "../../errors.ts";
import { readRefFile } from "../../refs/head-reader.ts";
import { isFullId } from "../../refs/revision-syntax.ts";
import type { Repository } from "../../repository.ts";
import type { IntegrationKind } from "./integration.ts";

const CHANGES = ["diff", "--name-status", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];
/** Files of several commits: the commit at which the first one began. HEAD is there until one of them is applied. */
const STARTS = ["sequencer/head", "rebase-merge/onto"];

/** Also true where it cannot be known. */
export async function losesWork(repository: Repository, kind: IntegrationKind, signal?: AbortSignal): Promise<boolean> {
  const idIn = (name: string): string | undefined => readRefFile(join(repository.state.gitDir, name));
  // The tree that git wrote into the work tree, conflict markers included.
  const written = idIn("AUTO_MERGE") ?? "";
  if (!isFullId(written)) return true;
  const start = STARTS.map(idIn).find((id) => id !== undefined);
  if (kind === "rebase" && start === undefined) return true;
  if (start !== undefined && start !== (await repository.headCommit(signal))) return true;
  try {
    const workTree = await repository.readWorkTree({ args: [...CHANGES, written], signal });
    if (workTree.stdout.length > 0) return true;
    const index = await repository.read({ args: [...CHANGES, "--cached", "--diff-filter=u", written], signal });
    return index.stdout.length > 0;
  } catch (error) {
    if (error instanceof GitError) return true;
    throw error;
  }
}
