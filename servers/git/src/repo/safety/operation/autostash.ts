// Changes that git has put aside for the time of a merge or rebase (autostash): it applies them when the operation ends.
import { join } from "node:path";
import type { RepositoryPaths } from "../../process/repository-paths.ts";
import { entryAt } from "../file-entry.ts";

const FILES = ["MERGE_AUTOSTASH", "rebase-merge/autostash", "rebase-apply/autostash"];

export const hasAutostash = ({ gitDir }: Pick<RepositoryPaths, "gitDir">): boolean =>
  FILES.some((file) => entryAt(join(gitDir, file)) !== undefined);
