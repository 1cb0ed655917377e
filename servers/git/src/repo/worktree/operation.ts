// What is under way in a repository: a merge, a rebase and the like, by the files that git keeps for it.
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Repository } from "../repository.ts";

export type Operation = "merge" | "rebase" | "am" | "cherry-pick" | "revert" | "bisect";

const MOST_TODO = 4 * 1024 * 1024;

const SIGNS: readonly (readonly [file: string, operation: Operation])[] = [
  ["rebase-merge", "rebase"],
  ["rebase-apply/applying", "am"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
];

export function operationOf({ facts }: Repository): Operation | undefined {
  const isThere = (file: string): boolean => existsSync(join(facts.gitDir, file));
  return SIGNS.find(([file]) => isThere(file))?.[1] ?? sequenceIn(facts.gitDir) ?? (isThere("BISECT_LOG") ? "bisect" : undefined);
}

/** Between two of several commits, when the one that stopped was committed by itself: the rest is still to be picked or reverted. */
function sequenceIn(gitDir: string): Operation | undefined {
  const path = join(gitDir, "sequencer/todo");
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true || stat.size > MOST_TODO) return undefined;
  const [, word] = /^(pick|revert)\b/m.exec(readFileSync(path, "latin1")) ?? [];
  return word === undefined ? undefined : word === "pick" ? "cherry-pick" : "revert";
}

export const underWay = (operation: Operation): string => `${operation === "am" ? "An" : "A"} ${operation} is in progress`;
