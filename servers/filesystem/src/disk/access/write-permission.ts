// Which visible paths may be changed.
import { clip } from "@oarlock/domain-kit";
import type { Root } from "./sandbox.ts";
import { DiskError } from "../errors.ts";
import { isGitName } from "./git-guard.ts";
import { isInside } from "./path-syntax.ts";

/** Throws unless the real path, as a text, may be created, replaced or removed. */
export function checkWritable(real: string, roots: readonly Root[], writeGit: boolean): void {
  if (roots.some((root) => isInside(root.real, real))) {
    throw new DiskError(
      "invalid",
      `Allowed directories, and directories that contain one, cannot be replaced, moved or removed: ${clip(real)}`,
    );
  }
  if (isReadOnly(real, roots)) {
    throw new DiskError("read-only", `Directory is served read-only: ${clip(real)}`);
  }
  if (!writeGit && real.split(/[\\/]/).some(isGitName)) {
    throw new DiskError("denied", `Writing to a .git directory is refused, because git runs programs that it names: ${clip(real)}`);
  }
}

/** The innermost root that contains the path decides. */
export function isReadOnly(real: string, roots: readonly Root[]): boolean {
  let best: Root | undefined;
  for (const root of roots) {
    if (!isInside(real, root.real)) continue;
    if (best === undefined || root.real.length > best.real.length || (root.real === best.real && root.readOnly)) best = root;
  }
  return best?.readOnly === true;
}
