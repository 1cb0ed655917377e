// The operation that is in progress in a repository, such as a merge or a rebase, by the files that git keeps for it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Repository } from "../repository.ts";
import { entryAt } from "../safety/file-entry.ts";
import { planWords } from "../safety/operation/operation-check.ts";

export type Operation = "merge" | "rebase" | "am" | "cherry-pick" | "revert" | "bisect";

const MAX_TODO_BYTES = 4 * 1024 * 1024;

const STATE_FILES: readonly (readonly [file: string, operation: Operation])[] = [
  ["rebase-merge", "rebase"],
  ["rebase-apply/applying", "am"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
];

export function currentOperation({ state }: Repository): Operation | undefined {
  const has = (file: string): boolean => existsSync(join(state.gitDir, file));
  return STATE_FILES.find(([file]) => has(file))?.[1] ?? sequencerOperation(state.gitDir) ?? (has("BISECT_LOG") ? "bisect" : undefined);
}

/** Several picks or reverts of which the one that stopped was committed by hand: only the list of the others is left. */
function sequencerOperation(gitDir: string): Operation | undefined {
  const path = join(gitDir, "sequencer/todo");
  const stat = entryAt(path);
  if (stat === undefined) return undefined;
  // A list that cannot be read is one of picks until `safety/operation/operation-check.ts` refuses it: nothing else starts meanwhile.
  if (!stat.isFile() || stat.size > MAX_TODO_BYTES) return "cherry-pick";
  const [command] = planWords(readFileSync(path, "latin1"));
  if (command === undefined) return undefined;
  return command === "revert" ? "revert" : "cherry-pick";
}

/** "A merge is in progress" */
export const inProgress = (operation: Operation): string => `${operation === "am" ? "An" : "A"} ${operation} is in progress`;

/** What ends an operation: a tool, or only git itself. */
export function wayToEnd(operation: Operation): string {
  if (operation === "am") return "only git itself ends it, by git am --continue, or git am --abort to go back";
  if (operation === "bisect") return "only git itself ends it, by git bisect reset";
  return `git_${operation.replace("-", "_")} with step continue finishes it, with step abort goes back (git itself: git ${operation} --continue or --abort)`;
}
