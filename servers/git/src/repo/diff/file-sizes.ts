// The sizes of the files of a diff, before and after.
import type { Repository } from "../repository.ts";
import { enterableEntryAt } from "../safety/file-entry.ts";
import { absolutePath } from "../safety/path-resolver.ts";
import { crossesSymlink } from "../safety/symlink-checks.ts";
import { nameFromText } from "../text/file-names.ts";
import type { FileDiff } from "./file-diff.ts";

/** What git prints for content that has no object: none, or that of the work tree. */
const NO_OBJECT = /^0+$/;

/** One process for all. A submodule has no size, and neither has what a partial clone lacks. */
export async function addSizes(
  repository: Repository,
  objectIds: ReadonlyMap<FileDiff, readonly [before: string, after: string]>,
  signal?: AbortSignal,
): Promise<void> {
  const ids = [...new Set([...objectIds.values()].flat())].filter((id) => id !== "" && !NO_OBJECT.test(id));
  const sizes = await sizesOf(repository, ids, signal);
  for (const [file, [before, after]] of objectIds) {
    const oldSize = sizes.get(before);
    const size = NO_OBJECT.test(after) && file.status !== "deleted" ? workTreeSize(repository, file.path) : sizes.get(after);
    if (oldSize !== undefined) file.oldSize = oldSize;
    if (size !== undefined) file.size = size;
  }
}

async function sizesOf(repository: Repository, ids: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const args = ["cat-file", "--batch-check=%(objectname) %(objectsize)"];
  const { stdout } = await repository.read({ args, input: `${ids.join("\n")}\n`, signal });
  return new Map([...stdout.toString().matchAll(/^([0-9a-f]+) (\d+)$/gm)].map(([, id = "", size]) => [id, Number(size)]));
}

function workTreeSize(repository: Repository, path: string): number | undefined {
  const entry = crossesSymlink(repository, path) ? undefined : enterableEntryAt(absolutePath(repository, nameFromText(path)));
  return entry?.isFile() === true || entry?.isSymbolicLink() === true ? entry.size : undefined;
}
