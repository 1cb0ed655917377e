// The switch --lockdown of servers of files, where the author of content is the owner of its file.
import { statSync } from "node:fs";
import { foreignOwner, lockdownRefusal } from "@oarlock/domain-kit";
import { StartError } from "./start-error.ts";

/** The declaration of the switch. */
export const LOCKDOWN = {
  type: "boolean",
  help: "hide the content of files whose owner is neither the user of the server nor root",
} as const;

/** Throws a {@link StartError} for --lockdown on a system that has no owners of files, as Windows. */
export function requireFileOwners(lockdown: boolean, hasOwners: boolean = process.geteuid !== undefined): void {
  if (lockdown && !hasOwners)
    throw new StartError(
      "--lockdown cannot be kept: this system, as Windows, does not show who owns a file. Remove it, and serve only files whose authors you trust.",
      2,
    );
}

/** Rights by which other users write into a file or folder. */
const WRITABLE_BY_OTHERS = 0o022;

/** Throws a {@link StartError} where --lockdown cannot be kept, or another user owns a file or folder that exists, or can write into it. */
export function refuseForeignFiles(paths: readonly string[]): void {
  requireFileOwners(true);
  for (const path of paths) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    const owner = foreignOwner(stat);
    if (owner !== undefined) throw new StartError(lockdownRefusal(path, owner), 3);
    if ((stat.mode & WRITABLE_BY_OTHERS) !== 0)
      throw new StartError(
        `Not served with --lockdown: other users can write into ${path}. Take that right away (chmod go-w), or leave it out.`,
        3,
      );
  }
}
