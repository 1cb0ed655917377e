// What is under way in a repository: a merge, a rebase and the like, by the files that git keeps for it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Repository } from "./repository.ts";

export type Operation = "merge" | "rebase" | "am" | "cherry-pick" | "revert" | "bisect";

const SIGNS: readonly (readonly [file: string, operation: Operation])[] = [
  ["rebase-merge", "rebase"],
  ["rebase-apply/applying", "am"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
];

export const operationOf = ({ facts }: Repository): Operation | undefined =>
  SIGNS.find(([file]) => existsSync(join(facts.gitDir, file)))?.[1];
