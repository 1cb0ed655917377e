// Finds content of the work tree that a restore would replace and that git has stored nowhere.
import type { GitResult } from "../../process/git-process.ts";
import { splitRecords } from "../../process/nul-records.ts";
import type { Repository } from "../../repository.ts";
import { enterableEntryAt } from "../../safety/file-entry.ts";
import { absolutePath, pathArguments } from "../../safety/path-resolver.ts";

const NAMES = ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];
const SLASH = "/".charCodeAt(0);

export interface Restored {
  readonly files: readonly string[];
  /** A commit id. Undefined: the index. */
  readonly source: string | undefined;
}

/** Whether a file differs both from the index and from what is restored, or only the source and the work tree have it. */
export async function hasUnstoredContent(repository: Repository, { files, source }: Restored, signal?: AbortSignal): Promise<boolean> {
  const paths = pathArguments(repository, files);
  // Undefined for a list that is too long to be read.
  const namesOf = ({ stdout, isTruncated }: GitResult): Buffer[] | undefined => (isTruncated ? undefined : splitRecords(stdout));
  const changedFrom = async (...operands: string[]) =>
    namesOf(await repository.readWorkTree({ args: [...NAMES, ...operands, ...paths], signal }));
  const changed = (await changedFrom())?.filter((name) => isInTheWay(repository, name));
  if (changed === undefined || source === undefined) return changed?.length !== 0;
  if (changed.length > 0) {
    const replaced = (await changedFrom(source))?.map((name) => name.toString("latin1"));
    if (replaced === undefined) return true;
    const isReplaced = new Set(replaced);
    if (changed.some((name) => isReplaced.has(name.toString("latin1")))) return true;
  }
  const lacking = namesOf(await repository.read({ args: [...NAMES, "--cached", "--diff-filter=D", source, ...paths], signal }));
  return lacking === undefined || lacking.some((name) => isInTheWay(repository, name));
}

/** Whether something stands at the path, or in place of one of its folders. */
function isInTheWay(repository: Repository, name: Buffer): boolean {
  for (let end = name.indexOf(SLASH); end !== -1; end = name.indexOf(SLASH, end + 1)) {
    const folder = enterableEntryAt(absolutePath(repository, name.subarray(0, end)));
    if (folder === undefined) return false;
    if (!folder.isDirectory()) return true;
  }
  return enterableEntryAt(absolutePath(repository, name)) !== undefined;
}
