// engineFolder: where an engine of the tests keeps its data and output.
import { chownSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryDisk } from "@oarlock-tooling/test-support/memory-disk";

/**
 * Creates a temporary folder, owned by `user`, in memory where there is room: PostgreSQL makes dozens of files for each schema, there for half of
 * its whole processor time. Programs run from the folder too, where `user` cannot read the package that has them.
 */
export function engineFolder(user?: number): string {
  const path = realpathSync(mkdtempSync(join(memoryDisk() ?? tmpdir(), "oarlock-engine-")));
  if (user !== undefined) chownSync(path, user, user);
  return path;
}
