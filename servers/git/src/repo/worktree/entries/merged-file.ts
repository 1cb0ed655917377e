// Whether a file in conflict is still as the merge wrote it: anything resolved or changed beside its markers would be lost.
import { closeSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNewFile, TemporaryFolder } from "@oarlock/domain-kit";
import type { Repository } from "../../repository.ts";
import type { ConflictRegion, LineRange } from "../conflicts.ts";

/** The ids of the versions by stage: of the common ancestor, where there is one, and of both sides. */
export interface Versions {
  readonly base: string | undefined;
  readonly ours: string;
  readonly theirs: string;
}

/**
 * The markers of a merge depend on settings and names of branches. So the file is read as if each region had been resolved by one side, and compared with
 * what `git merge-file` makes of that side.
 */
export async function isAsMerged(
  repository: Repository,
  bytes: Buffer,
  regions: readonly ConflictRegion[],
  versions: Versions,
  signal?: AbortSignal,
): Promise<boolean> {
  using folder = new TemporaryFolder(tmpdir());
  const write = async (name: string, oid: string | undefined): Promise<string> => {
    const content = oid === undefined ? Buffer.alloc(0) : (await repository.read({ args: ["cat-file", "blob", oid], signal })).stdout;
    const path = join(folder.path, name);
    const file = createNewFile(path, 0o600);
    try {
      for (let done = 0; done < content.length;) done += writeSync(file, content, done);
    } finally {
      closeSync(file);
    }
    return path;
  };
  const files = [await write("ours", versions.ours), await write("base", versions.base), await write("theirs", versions.theirs)];
  for (const side of ["ours", "theirs"] as const) {
    const { exitCode, stdout } = await repository.tryRead({ args: ["merge-file", "--stdout", "--quiet", `--${side}`, ...files], signal });
    if (exitCode !== 0 || withPlainLineEnds(stdout.toString("latin1")) !== withPlainLineEnds(resolvedBy(side, bytes, regions)))
      return false;
  }
  return true;
}

/** Line ends of the work tree may differ from those in the repository. */
const withPlainLineEnds = (text: string): string => text.replaceAll("\r\n", "\n");

function resolvedBy(side: "ours" | "theirs", bytes: Buffer, regions: readonly ConflictRegion[]): string {
  const lines = bytes.toString("latin1").split("\n");
  const within = ({ start, end }: LineRange): string[] => lines.slice(start - 1, end);
  const kept: string[] = [];
  let next = 1;
  for (const region of regions) {
    // The markers stand before the lines of ours and after those of theirs.
    kept.push(...within({ start: next, end: region.ours.start - 2 }), ...within(region[side]));
    next = region.theirs.end + 2;
  }
  return [...kept, ...within({ start: next, end: lines.length })].join("\n");
}
